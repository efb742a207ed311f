/** The player's settings, stored in the browser. */

interface Stored {
  fourColours: boolean;
  sounds: boolean;
  motion: boolean;
  helped: boolean;
}

const KEY = "upcard";
const DEFAULTS: Stored = { fourColours: false, sounds: false, motion: true, helped: false };

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
  get helped() {
    return this.stored.helped;
  }
  /** No motion: set in the operating system or by the player. */
  get still() {
    return calm || !this.stored.motion;
  }

  toggle(name: keyof Stored) {
    this.stored[name] = !this.stored[name];
    try {
      localStorage.setItem(KEY, JSON.stringify(this.stored));
    } catch {
      // without storage the setting lasts until the page is closed
    }
  }
}

export const settings = new Settings();
