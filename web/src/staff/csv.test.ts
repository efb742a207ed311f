import { expect, test } from "vitest";
import { csvText } from "./csv";

test("commas, quotes and lines stay in their cell, and no cell is a formula", () => {
  expect(
    csvText([
      ["a", 'say "b", c'],
      ["=1+1", "two\nlines"],
    ]),
  ).toBe(`a,"say ""b"", c"\r\n'=1+1,"two\nlines"\r\n`);
});
