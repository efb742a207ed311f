/** Sounds of alerts, made by the browser; a person can mute them, and the browser remembers that. */
import type { Urgency } from "./alertText";

const MUTED = "upcard-alerts-muted";

/** Tones in hertz, one after another: the more urgent, the more and the higher. */
const TONES: Record<Urgency, number[]> = {
  stop: [880, 660, 880, 660],
  win: [523, 659, 784],
  look: [523, 440],
  ask: [587],
};
const TONE_SECONDS = 0.16;

let context: AudioContext | null = null;

export function isMuted(): boolean {
  try {
    return localStorage.getItem(MUTED) === "yes";
  } catch {
    return false;
  }
}

export function setMuted(muted: boolean): void {
  try {
    localStorage.setItem(MUTED, muted ? "yes" : "no");
  } catch {
    // a browser that keeps nothing asks again after a reload
  }
}

/** Browsers allow sound after a click or a key on the page; until then they keep it back. */
export function playAlert(urgency: Urgency): void {
  try {
    context ??= new AudioContext();
    void context.resume();
    TONES[urgency].forEach((tone, at) => beep(context!, tone, context!.currentTime + at * TONE_SECONDS));
  } catch {
    // no sound here: the colour says it
  }
}

function beep(audio: AudioContext, tone: number, from: number): void {
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.frequency.value = tone;
  gain.gain.setValueAtTime(0.2, from);
  gain.gain.exponentialRampToValueAtTime(0.001, from + TONE_SECONDS);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(from);
  oscillator.stop(from + TONE_SECONDS);
}
