/** Sounds made on the spot, off until asked for: no files, nothing to load. */
import { settings } from "../lib/settings.svelte";
import type { GameEvent } from "../lib/wire";

let context: AudioContext | null = null;

export function sound(event: GameEvent, player: string): void {
  if (!settings.sounds) return;
  const name = event.event;
  if (name === "chip" || name === "wager-placed") knock(2400, 0.05, 0.08);
  else if (name === "card-dealt" || name === "dealer-card-dealt" || name === "hole-card-dealt") hiss(0.09, 0.12);
  else if (name === "hole-revealed") hiss(0.16, 0.16);
  else if (name === "slip" && event["player"] === player && (event["paid"] as number) > 0) {
    knock(880, 0.18, 0.1);
    knock(1320, 0.28, 0.08, 0.09);
  }
}

function audio(): AudioContext {
  context ??= new AudioContext();
  return context;
}

function knock(pitch: number, seconds: number, volume: number, after = 0): void {
  const at = audio();
  const tone = at.createOscillator();
  const gain = at.createGain();
  const start = at.currentTime + after;
  tone.frequency.value = pitch;
  tone.type = "triangle";
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  tone.connect(gain).connect(at.destination);
  tone.start(start);
  tone.stop(start + seconds);
}

function hiss(seconds: number, volume: number): void {
  const at = audio();
  const buffer = at.createBuffer(1, Math.floor(at.sampleRate * seconds), at.sampleRate);
  const wave = buffer.getChannelData(0);
  for (let i = 0; i < wave.length; i += 1) wave[i] = (Math.random() * 2 - 1) * (1 - i / wave.length) ** 2;
  const source = at.createBufferSource();
  const gain = at.createGain();
  gain.gain.value = volume;
  source.buffer = buffer;
  source.connect(gain).connect(at.destination);
  source.start();
}
