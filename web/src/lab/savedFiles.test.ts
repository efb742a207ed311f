import { afterEach, expect, test, vi } from "vitest";
import { save, savedFiles } from "./savedFiles";

afterEach(() => vi.unstubAllGlobals());

function storage(content: Record<string, string>) {
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => content[key] ?? null,
    setItem: (key: string, text: string) => (content[key] = text),
  });
}

test("files are found again as they were saved", () => {
  storage({});
  expect(savedFiles()).toEqual({});
  expect(save({ "kinds/a.toml": "x" })).toBe(true);
  expect(savedFiles()).toEqual({ "kinds/a.toml": "x" });
});

test("a browser that keeps nothing, or nonsense, begins without files", () => {
  storage({ "upcard-lab-files": "[1," });
  expect(savedFiles()).toEqual({});
  vi.stubGlobal("localStorage", undefined);
  expect(savedFiles()).toEqual({});
  expect(save({})).toBe(false);
});
