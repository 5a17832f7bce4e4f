/**
 * The panel's sounds. They are synthesised from tones and noise when they are played; there are no
 * recordings. The module is loaded only if the viewer has switched sound on. It does nothing in a
 * browser without Web Audio.
 *
 * Browsers keep a page silent until the viewer taps it or presses a key, and Safari again after a
 * call or a locked screen. Meanwhile the audio clock stands still, so a sound that was scheduled then
 * would be played late, together with all others.
 * @import { Cue } from "./types.js"
 */

/** The longest time between a cue and its sound. A sound that can't begin by then isn't played. */
const LATEST_MS = 1000;

/** @type {AudioContext | null} */
let context = null;

/**
 * The audio node to which a sound is sent, and the sound's start time in seconds on the clock of
 * the audio context.
 * @typedef {{out: AudioNode, at: number}} SoundOutput
 */

/**
 * Plays a tone that slides from one pitch (Hz) to another and fades out.
 * @param {SoundOutput} place
 * @param {number} from
 * @param {number} to
 * @param {{after?: number, lasts?: number, loud?: number, wave?: OscillatorType}} [how] seconds
 */
function playTone(
  { out, at },
  from,
  to,
  { after = 0, lasts = 0.2, loud = 0.5, wave = "triangle" } = {},
) {
  const source = new OscillatorNode(out.context, { type: wave, frequency: from });
  const begins = at + after;
  source.frequency.setValueAtTime(from, begins);
  source.frequency.exponentialRampToValueAtTime(to, begins + lasts);
  source.connect(createEnvelope(out, begins, lasts, loud, 0.012));
  source.start(begins);
  source.stop(begins + lasts);
}

/**
 * Plays noise through a filter that slides from one frequency (Hz) to another.
 * @param {SoundOutput} place
 * @param {BiquadFilterType} kind
 * @param {number} from
 * @param {number} to
 * @param {{after?: number, lasts?: number, loud?: number, rise?: number}} [how] seconds
 */
function playNoise(
  { out, at },
  kind,
  from,
  to,
  { after = 0, lasts = 0.1, loud = 0.5, rise = 0.004 } = {},
) {
  const begins = at + after;
  const filter = new BiquadFilterNode(out.context, { type: kind, frequency: from, Q: 0.8 });
  filter.frequency.setValueAtTime(from, begins);
  filter.frequency.exponentialRampToValueAtTime(to, begins + lasts);
  const source = new AudioBufferSourceNode(out.context, {
    buffer: createWhiteNoise(out.context),
    loop: true,
  });
  source.connect(filter).connect(createEnvelope(out, begins, lasts, loud, rise));
  source.start(begins);
  source.stop(begins + lasts);
}

/**
 * Creates a gain node that rises from silence to `loud` and falls back. Times are in seconds.
 * @param {AudioNode} out
 * @param {number} begins
 * @param {number} lasts
 * @param {number} loud
 * @param {number} rise
 */
function createEnvelope(out, begins, lasts, loud, rise) {
  const gain = new GainNode(out.context, { gain: 0 });
  gain.gain.setValueAtTime(0.0001, begins);
  gain.gain.exponentialRampToValueAtTime(loud, begins + rise);
  gain.gain.exponentialRampToValueAtTime(0.0001, begins + lasts);
  gain.connect(out);
  return gain;
}

/** The white noise, or null before it is computed. @type {AudioBuffer | null} */
let whiteNoise = null;

/** Returns one second of white noise. @param {BaseAudioContext} audioContext */
function createWhiteNoise(audioContext) {
  if (whiteNoise) return whiteNoise;
  whiteNoise = new AudioBuffer({
    length: audioContext.sampleRate,
    sampleRate: audioContext.sampleRate,
  });
  const samples = whiteNoise.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  return whiteNoise;
}

/**
 * The function that plays each sound, by the sound's name (its cue).
 * @type {Record<Cue, (place: SoundOutput) => void>}
 */
const SOUNDS = {
  /* a questioning meow */
  turn: (place) => {
    playTone(place, 430, 720, { lasts: 0.16, loud: 0.4 });
    playTone(place, 720, 560, { after: 0.15, lasts: 0.2, loud: 0.3 });
  },
  /* a card is put on the table */
  play: (place) => {
    playNoise(place, "bandpass", 2600, 900, { lasts: 0.07, loud: 0.7 });
    playTone(place, 190, 90, { lasts: 0.08, loud: 0.5, wave: "sine" });
  },
  /* a paw hits the table */
  nope: (place) => {
    playTone(place, 170, 62, { lasts: 0.3, loud: 0.55, wave: "square" });
    playNoise(place, "lowpass", 1800, 300, { lasts: 0.14, loud: 0.7 });
  },
  flip: (place) => playNoise(place, "bandpass", 900, 4200, { lasts: 0.14, loud: 0.45, rise: 0.06 }),
  shuffle: (place) => {
    for (let i = 0; i < 9; i += 1)
      playNoise(place, "bandpass", 2400 + i * 180, 1800, {
        after: i * 0.055,
        lasts: 0.045,
        loud: 0.4,
      });
  },
  /* a hiss */
  kitten: (place) => {
    playNoise(place, "highpass", 3200, 6800, { lasts: 1.1, loud: 0.4, rise: 0.35 });
    playTone(place, 300, 240, { lasts: 0.9, loud: 0.07, wave: "sawtooth" });
  },
  boom: (place) => {
    playNoise(place, "lowpass", 1600, 50, { lasts: 1.6, loud: 1 });
    playTone(place, 130, 28, { lasts: 1.2, loud: 0.9, wave: "sine" });
    playNoise(place, "highpass", 3000, 900, { lasts: 0.12, loud: 0.5 });
  },
  phew: (place) => {
    playNoise(place, "bandpass", 1500, 500, { lasts: 0.55, loud: 0.3, rise: 0.1 });
    playTone(place, 660, 390, { after: 0.05, lasts: 0.4, loud: 0.2, wave: "sine" });
  },
  win: (place) => {
    for (const [i, pitch] of [523, 659, 784, 1047].entries())
      playTone(place, pitch, pitch, { after: i * 0.11, lasts: i === 3 ? 0.6 : 0.18, loud: 0.35 });
  },
};

/**
 * Creates the output for all sounds. It is quiet and has a limiter, so that simultaneous sounds
 * never add up to a loud one.
 * @param {AudioContext} audioContext
 */
function createOutput(audioContext) {
  const limit = new DynamicsCompressorNode(audioContext, { threshold: -18, ratio: 12 });
  const volume = new GainNode(audioContext, { gain: 0.3 });
  volume.connect(limit).connect(audioContext.destination);
  return volume;
}

/** The output of all sounds. @type {AudioNode | null} */
let output = null;

/**
 * Lets sounds be played as soon as the browser allows it. During a tap or a key press, browsers allow
 * it at once. Resolves to the output of all sounds, or to null if the browser has no
 * sound. Doesn't resolve while the browser keeps the page silent.
 * @returns {Promise<AudioNode | null>}
 */
export async function unlockSounds() {
  try {
    context ??= new AudioContext();
    if (context.state !== "running") await context.resume();
    output ??= createOutput(context);
  } catch {
    return null; // no Web Audio, no sound device, or the device is in a phone call
  }
  return output;
}

/**
 * Plays a cue's sound, unless the browser keeps the page silent.
 * @param {Cue} cue
 * @param {number} [nth] index of the cue, if several are played one after the other
 * @param {number} [since] time of the cue, in ms
 */
export async function playSound(cue, nth = 0, since = Date.now()) {
  const out = await unlockSounds();
  if (!out || Date.now() - since > LATEST_MS) return;
  SOUNDS[cue]({ out, at: out.context.currentTime + 0.02 + nth * 0.18 });
}
