/** The player's settings, stored in the browser. */
import { keyIn, nameOf, remapped, type KeyName, type Keymap } from "./keymap";

interface Stored {
  fourColours: boolean;
  sounds: boolean;
  motion: boolean;
  helped: boolean;
  keys: boolean;
  stayOn21: boolean;
  speed: number; // times as fast as usual; 0 for at once
  keymap: Keymap;
}
export type Switch = "fourColours" | "sounds" | "motion" | "helped" | "keys" | "stayOn21";

const KEY = "upcard";
const DEFAULTS: Stored = {
  fourColours: false,
  sounds: false,
  motion: true,
  helped: false,
  keys: true,
  stayOn21: false,
  speed: 1,
  keymap: {},
};

function read(): Stored {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Stored>) };
  } catch {
    return { ...DEFAULTS };
  }
}

const calm = typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;

class Settings {
  private stored = $state<Stored>(read());

  get fourColours() {
    return this.stored.fourColours;
  }
  get sounds() {
    return this.stored.sounds;
  }
  /** Whether single keys play: they get in the way of voice control and of some screen readers. */
  get keys() {
    return this.stored.keys;
  }
  get helped() {
    return this.stored.helped;
  }
  /** Whether a hand of 21 stays by itself. */
  get stayOn21() {
    return this.stored.stayOn21;
  }
  /** No motion: set in the operating system or by the player. */
  get still() {
    return calm || !this.stored.motion || this.stored.speed === 0;
  }
  get motion() {
    return !calm && this.stored.motion;
  }
  /** How many times as fast as usual cards are dealt. */
  get speed() {
    return this.stored.speed || Infinity;
  }

  key(name: KeyName): string {
    return keyIn(this.stored.keymap, name);
  }
  /** What a key does; "" for nothing. */
  named(key: string): KeyName | "" {
    return nameOf(this.stored.keymap, key);
  }

  setKey(name: KeyName, key: string) {
    this.stored.keymap = remapped(this.stored.keymap, name, key);
    this.store();
  }
  setSpeed(speed: number) {
    this.stored.speed = Number.isFinite(speed) ? speed : 0;
    this.store();
  }
  toggle(name: Switch) {
    this.stored[name] = !this.stored[name];
    this.store();
  }

  private store() {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.stored));
    } catch {
      // without storage the setting lasts until the page is closed
    }
  }
}

export const settings = new Settings();
