/** BPM's synthesised sounds: a filtered kick at the song's tempo, a riser, a record that stops. */
import type { Synth } from '$lib/contract';

const AHEAD = 1.2; // seconds of beat scheduled in advance

/** The current song; the beat continues while `beat` is called again. */
export const tempo = { bpm: 0, next: 0 };

function beat(synth: Synth): void {
  if (!tempo.bpm) return;
  const now = synth.context.currentTime;
  if (tempo.next < now) tempo.next = now + 0.05;
  for (; tempo.next < now + AHEAD; tempo.next += 60 / tempo.bpm) kick(synth, tempo.next - now);
}

function kick(synth: Synth, at = 0): void {
  synth.tone(118, 0.05, { gain: 0.3, at });
  synth.tone(52, 0.16, { gain: 0.42, at: at + 0.012 });
  synth.noise(0.02, { gain: 0.05, at, lowpass: 900 });
}

function riser(synth: Synth): void {
  for (let step = 0; step < 30; step++) {
    const part = step / 30;
    synth.noise(0.09, { gain: 0.02 + 0.12 * part, at: step * 0.05, highpass: 300 + 5200 * part * part });
    if (step % 2 === 0)
      synth.tone(180 * 2 ** (part * 2), 0.11, { type: 'sawtooth', gain: 0.03 + 0.05 * part, at: step * 0.05 });
  }
}

function drop(synth: Synth): void {
  kick(synth);
  synth.tone(41, 0.9, { gain: 0.5 });
  synth.tone(82, 0.5, { type: 'square', gain: 0.06 });
  synth.noise(0.7, { gain: 0.16, highpass: 2500 });
}

/** A record that runs out of power: the pitch falls, and the needle crackles. */
function stop(synth: Synth): void {
  for (let step = 0; step < 12; step++) {
    synth.tone(330 * 0.78 ** step, 0.1, { type: 'sawtooth', gain: 0.16 - step * 0.01, at: step * 0.07 });
  }
  synth.noise(0.8, { gain: 0.03, highpass: 4000 });
}

function chord(notes: number[], apart: number, seconds: number): (synth: Synth) => void {
  return (synth) =>
    notes.forEach((note, at) => synth.tone(note, seconds, { type: 'triangle', gain: 0.22, at: at * apart }));
}

export const sounds: Record<string, (synth: Synth) => void> = {
  beat,
  riser,
  drop,
  stop,
  hype: chord([196, 247, 294], 0.06, 0.3),
  swap: (synth) => synth.noise(0.16, { gain: 0.1, highpass: 700, lowpass: 3200 }),
  token: chord([392, 587], 0.05, 0.14),
  superfan: chord([523, 659, 784], 0.07, 0.24),
  combo: chord([262, 330, 392, 523], 0.08, 0.4),
  turn: chord([294, 440], 0.14, 0.3),
};
