import { expect, test } from "vitest";
import { offsetOf, pathOf, spotOf } from "./workspaceFiles";

test("an uploaded file belongs where its folder or its content says", () => {
  expect(pathOf("a.toml", "mine/kinds/a.toml", "")).toBe("kinds/a.toml");
  expect(pathOf("a.toml", "", '[[kind]]\nname = "a"')).toBe("kinds/a.toml");
  expect(pathOf("a.toml", "", 'wager = "x"\n[[paytable]]')).toBe("paytables/a.toml");
  expect(pathOf("a.toml", "", 'slug = "a"\ngame = "b"')).toBe("layouts/a.toml");
  expect(pathOf("a.toml", "", 'slug = "a"\n[rules]')).toBe("games/a.toml");
  expect(pathOf("a.csv", "", "hand,2")).toBe("charts/a.csv");
  expect(pathOf("readings.toml", "mine/readings.toml", "")).toBe("readings.toml");
});

test("a problem names its line and column", () => {
  expect(spotOf({ place: "kind a, line 4, column 12", sentence: "what is this?" })).toEqual({ line: 4, column: 12 });
  expect(spotOf({ place: "", sentence: "not valid TOML: expected = (at line 2, column 8)" })).toEqual({
    line: 2,
    column: 8,
  });
  expect(spotOf({ place: "reads, line 3", sentence: "two to four cards" })).toEqual({ line: 3, column: 1 });
  expect(spotOf({ place: "wager Nines", sentence: "this key is missing" })).toBeNull();
});

test("a line and column is a place in the text", () => {
  expect(offsetOf("ab\ncd\n", { line: 2, column: 2 })).toBe(4);
  expect(offsetOf("ab", { line: 9, column: 9 })).toBe(2);
});
