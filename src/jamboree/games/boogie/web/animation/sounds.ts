/** Boogie's synthesised sounds: rubber, wind, a canopy, dice, and a kazoo for a broken promise. */
import type { Synth } from '$lib/contract';

export const WIND_FROM = 10; // seconds before PULL with wind and a darker sky

/** A gliding tone, which the synth lacks. */
function slide(synth: Synth, from: number, to: number, seconds: number, type: OscillatorType, gain: number): void {
  const steps = 8;
  for (let step = 0; step < steps; step++) {
    const frequency = from + ((to - from) * step) / steps;
    synth.tone(frequency, (seconds / steps) * 1.6, { type, gain, at: (step * seconds) / steps });
  }
}

/** Wind, louder and darker the fewer seconds are left. */
function wind(left: number): (synth: Synth) => void {
  const near = 1 - left / (WIND_FROM + 1);
  return (synth) =>
    synth.noise(1.1, { gain: 0.08 + 0.3 * near, highpass: 500 - 350 * near, lowpass: 900 + 1600 * near });
}

const winds = Array.from({ length: WIND_FROM }, (_, index) => [`wind-${index + 1}`, wind(index + 1)] as const);

export const sounds: Record<string, (synth: Synth) => void> = {
  ...Object.fromEntries(winds),
  pop: (synth) => slide(synth, 240, 620, 0.07, 'sine', 0.5),
  drumroll: (synth) => {
    for (let stroke = 0; stroke < 22; stroke++)
      synth.noise(0.05, { gain: 0.1 + stroke / 90, lowpass: 900, at: stroke * 0.066 });
  },
  whoosh: (synth) => synth.noise(0.9, { gain: 0.35, highpass: 300, lowpass: 1800 }),
  canopy: (synth) => {
    synth.noise(0.09, { gain: 0.9, highpass: 900 });
    synth.noise(0.5, { gain: 0.35, lowpass: 700, at: 0.07 });
    synth.tone(92, 0.35, { type: 'triangle', gain: 0.6, at: 0.05 });
  },
  flip: (synth) => synth.noise(0.05, { gain: 0.3, highpass: 2200 }),
  tick: (synth) => synth.tone(880, 0.08, { type: 'triangle', gain: 0.25 }),
  bonk: (synth) => slide(synth, 260, 120, 0.16, 'square', 0.18),
  dice: (synth) => [0, 0.09, 0.16, 0.27].forEach((at) => synth.noise(0.04, { gain: 0.5, highpass: 1400, at })),
  cheer: (synth) => [523, 659, 784].forEach((note, at) => synth.tone(note, 0.25, { type: 'triangle', at: at * 0.08 })),
  splat: (synth) => slide(synth, 330, 110, 0.4, 'triangle', 0.3),
  stamp: (synth) => synth.tone(130, 0.09, { type: 'triangle', gain: 0.6 }),
  kazoo: (synth) => {
    slide(synth, 311, 294, 0.22, 'sawtooth', 0.16);
    [0.24, 0.3, 0.36, 0.42].forEach((at, index) => {
      synth.tone(index % 2 ? 226 : 240, 0.09, { type: 'sawtooth', gain: 0.16, at });
    });
  },
};
