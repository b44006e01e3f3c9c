/** Synthesised sound effects; there are no sound files. */
import type { Synth } from '../contract';

type Envelope = { gain?: number; at?: number };

class WebAudioSynth implements Synth {
  readonly context = new AudioContext();
  private readonly out = this.context.createGain();
  private hiss: AudioBuffer | null = null;

  constructor() {
    this.out.gain.value = 0.35;
    this.out.connect(this.context.destination);
  }

  tone(frequency: number, seconds: number, options: Envelope & { type?: OscillatorType } = {}): void {
    const voice = this.context.createOscillator();
    voice.type = options.type ?? 'sine';
    voice.frequency.value = frequency;
    this.sound(voice, voice, seconds, options);
  }

  noise(seconds: number, options: Envelope & { highpass?: number; lowpass?: number } = {}): void {
    const voice = this.context.createBufferSource();
    voice.buffer = this.white();
    voice.loop = true;
    let last: AudioNode = voice;
    if (options.highpass) last = this.filtered(last, 'highpass', options.highpass);
    if (options.lowpass) last = this.filtered(last, 'lowpass', options.lowpass);
    this.sound(voice, last, seconds, options);
  }

  private sound(
    voice: AudioScheduledSourceNode,
    last: AudioNode,
    seconds: number,
    { gain = 0.5, at = 0 }: Envelope,
  ): void {
    const start = this.context.currentTime + at;
    const level = this.context.createGain();
    level.gain.setValueAtTime(0, start);
    level.gain.linearRampToValueAtTime(gain, start + Math.min(0.01, seconds / 4));
    level.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
    last.connect(level).connect(this.out);
    voice.start(start);
    voice.stop(start + seconds + 0.02);
  }

  private filtered(node: AudioNode, type: BiquadFilterType, frequency: number): AudioNode {
    const filter = this.context.createBiquadFilter();
    filter.type = type;
    filter.frequency.value = frequency;
    return node.connect(filter);
  }

  private white(): AudioBuffer {
    if (this.hiss) return this.hiss;
    this.hiss = this.context.createBuffer(1, this.context.sampleRate, this.context.sampleRate);
    const samples = this.hiss.getChannelData(0);
    for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
    return this.hiss;
  }
}

let tones: WebAudioSynth | null = null;

/** Play a sound. The first one starts the audio context, which browsers allow only after input. */
export function play(sound: ((synth: Synth) => void) | undefined): void {
  if (!sound || typeof AudioContext === 'undefined') return;
  tones ??= new WebAudioSynth();
  void tones.context.resume();
  sound(tones);
}
