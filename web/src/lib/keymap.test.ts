import { describe, expect, it } from "vitest";
import { KEYS, keyIn, nameOf, remapped } from "./keymap";

describe("keys", () => {
  it("are different from each other", () => {
    expect(new Set(Object.values(KEYS)).size).toBe(Object.keys(KEYS).length);
  });

  it("change places with the key that had the letter", () => {
    const keymap = remapped({}, "hit", "s");
    expect(keyIn(keymap, "hit")).toBe("S");
    expect(keyIn(keymap, "stay")).toBe("H");
    expect(nameOf(keymap, "s")).toBe("hit");
    expect(nameOf(keymap, "h")).toBe("stay");
  });

  it("take a free letter", () => {
    const keymap = remapped({}, "hit", "x");
    expect(nameOf(keymap, "x")).toBe("hit");
    expect(nameOf(keymap, "h")).toBe("");
  });

  it("must be letters: digits are chips", () => {
    expect(remapped({}, "hit", "1")).toEqual({});
    expect(remapped({}, "hit", "")).toEqual({});
    expect(nameOf({}, "Enter")).toBe("");
  });
});
