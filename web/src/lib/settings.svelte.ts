/** What a player sets for himself, kept in his browser. */

interface Kept {
  fourColours: boolean;
  sounds: boolean;
  motion: boolean;
  helped: boolean;
}

const KEY = "upcard";
const DEFAULTS: Kept = { fourColours: false, sounds: false, motion: true, helped: false };

function read(): Kept {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>) };
  } catch {
    return { ...DEFAULTS };
  }
}

const calm = typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;

class Settings {
  private kept = $state<Kept>(read());

  get fourColours() {
    return this.kept.fourColours;
  }
  get sounds() {
    return this.kept.sounds;
  }
  get helped() {
    return this.kept.helped;
  }
  /** No motion: by the system's wish or the player's. */
  get still() {
    return calm || !this.kept.motion;
  }

  toggle(name: keyof Kept) {
    this.kept[name] = !this.kept[name];
    try {
      localStorage.setItem(KEY, JSON.stringify(this.kept));
    } catch {
      // a browser that keeps nothing: the setting holds for this page
    }
  }
}

export const settings = new Settings();
