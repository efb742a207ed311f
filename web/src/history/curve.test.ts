import { describe, expect, it } from "vitest";
import { curvePath } from "./curve";

describe("the curve of a running total", () => {
  it("spans the box from its lowest to its highest point, zero included", () => {
    expect(curvePath([0, 10, -10], 100, 40)).toEqual({ path: "M0.0,20.0L50.0,0.0L100.0,40.0", zero: 20 });
    expect(curvePath([0, -5, -10], 100, 40)).toEqual({ path: "M0.0,0.0L50.0,20.0L100.0,40.0", zero: 0 });
  });

  it("is a line in the middle where nothing was won or lost, and nothing without rounds", () => {
    expect(curvePath([0, 0], 100, 40)).toEqual({ path: "M0.0,20.0L100.0,20.0", zero: 20 });
    expect(curvePath([], 100, 40).path).toBe("");
  });
});
