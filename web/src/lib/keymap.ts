/** The single-letter keys of the felt, and the player's own choice of them. */

export const KEYS = {
  hit: "H",
  stay: "S",
  double: "D",
  less: "L",
  split: "P",
  surrender: "R",
  insure: "I",
  "even-money": "E",
  "decline-insurance": "N",
  hint: "V",
  clear: "C",
  rebet: "B",
  floor: "F",
  rules: "T",
  history: "Y",
} as const;

export type KeyName = keyof typeof KEYS;
export type Keymap = Partial<Record<KeyName, string>>;

export const isKeyName = (name: string): name is KeyName => name in KEYS;
export const keyIn = (keymap: Keymap, name: KeyName): string => keymap[name] ?? KEYS[name];

/** The keys after one of them was changed: whatever had the new key gets the old one. Only letters can be chosen. */
export function remapped(keymap: Keymap, name: KeyName, key: string): Keymap {
  const letter = key.toUpperCase();
  if (!/^[A-Z]$/.test(letter)) return keymap;
  const other = (Object.keys(KEYS) as KeyName[]).find((one) => one !== name && keyIn(keymap, one) === letter);
  return { ...keymap, ...(other ? { [other]: keyIn(keymap, name) } : {}), [name]: letter };
}

/** What a key does now; "" for nothing. */
export function nameOf(keymap: Keymap, key: string): KeyName | "" {
  const letter = key.length === 1 ? key.toUpperCase() : "";
  return (letter && (Object.keys(KEYS) as KeyName[]).find((name) => keyIn(keymap, name) === letter)) || "";
}
