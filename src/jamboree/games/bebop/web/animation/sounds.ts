/** Bebop's synthesised sounds: brushes, a walking bass, a brass stab. */
import type { Synth } from '$lib/contract';

type Sound = (synth: Synth) => void;

const WALK = [98, 110, 116.54, 123.47, 130.81, 146.83, 155.56, 164.81, 174.61, 196]; // G2 upwards, as a bass walks

const brush: Sound = (synth) => {
  synth.noise(0.16, { gain: 0.22, highpass: 2500, lowpass: 9000 });
  synth.tone(180, 0.08, { type: 'triangle', gain: 0.15 });
};

const tap: Sound = (synth) => {
  synth.noise(0.04, { gain: 0.3, highpass: 1200 });
  synth.tone(420, 0.06, { type: 'triangle', gain: 0.2 });
};

const pluck =
  (frequency: number): Sound =>
  (synth) => {
    synth.tone(frequency, 0.32, { type: 'triangle', gain: 0.5 });
    synth.tone(frequency * 2, 0.12, { gain: 0.12 });
  };

const stab: Sound = (synth) => {
  for (const [place, frequency] of [233.08, 293.66, 349.23, 415.3].entries()) {
    synth.tone(frequency, 0.42, { type: 'sawtooth', gain: 0.12, at: place * 0.012 });
  }
  synth.noise(0.3, { gain: 0.08, highpass: 5000 });
};

const roll: Sound = (synth) => {
  for (const at of [0, 0.09, 0.2, 0.3]) synth.noise(0.03, { gain: 0.25, highpass: 900, at });
};

const chord: Sound = (synth) => {
  for (const [place, frequency] of [261.63, 329.63, 392, 493.88, 587.33].entries()) {
    synth.tone(frequency, 1.4, { type: 'triangle', gain: 0.2, at: place * 0.07 });
  }
};

const yours: Sound = (synth) => {
  synth.tone(392, 0.22, { gain: 0.25 });
  synth.tone(523.25, 0.34, { gain: 0.25, at: 0.16 });
};

export const BASS = WALK.length;

export const sounds: Record<string, Sound> = {
  seat: brush,
  die: tap,
  stage: stab,
  token: (synth) => synth.tone(880, 0.18, { gain: 0.2 }),
  banner: (synth) => synth.noise(0.25, { gain: 0.12, highpass: 1500, lowpass: 5000 }),
  roll,
  end: chord,
  turn: yours,
  ...Object.fromEntries(WALK.map((frequency, note) => [`bass-${note}`, pluck(frequency)])),
};
