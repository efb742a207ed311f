import { describe, expect, it } from "vitest";
import { places, scale, span, ticks } from "./axisScale";

describe("a drawing", () => {
  it("has round numbers along its sides", () => {
    expect(ticks(0, 10)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(ticks(-1, 1)).toEqual([-1, -0.5, 0, 0.5, 1]);
    expect(ticks(3, 3)).toEqual([3]);
    expect(ticks(0, 150000)).toContain(50000);
  });
  it("writes as many digits as it needs", () => {
    expect(places([0, 2, 4])).toBe(0);
    expect(places([0, 0.5, 1])).toBe(1);
    expect(places([0, 0.02])).toBe(2);
  });
  it("puts values in their places", () => {
    expect(scale(0, 10, 100, 0)(5)).toBe(50);
    expect(span([1, 3], 0.5)).toEqual([0, 4]);
    expect(span([2])[0]).toBeLessThan(2);
  });
});
