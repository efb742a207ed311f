import { describe, expect, it } from "vitest";
import { chipsCounted, isCounted, total } from "./denominations";

describe("chips counted by denomination", () => {
  it("adds up", () => expect(total({ 10000: "3", 2500: "2", 50: "1" })).toBe(350_50));
  it("is nothing if nothing is typed", () => expect(total({ 10000: "", 500: " " })).toBe(0));
  it("refuses what is no number of chips", () => {
    for (const typed of ["-1", "1.5", "x", "1e3", "12345678"]) expect(total({ 500: typed })).toBeNull();
  });
  it("is sent from the largest down, without those that are not there", () =>
    expect(chipsCounted({ 500: "2", 10000: "1", 2500: "0" })).toEqual([
      { denomination: 10000, count: 1 },
      { denomination: 500, count: 2 },
    ]));
  it("tells an empty tray from one that was not counted", () =>
    expect([isCounted({}), isCounted({ 500: "" }), isCounted({ 500: "0" })]).toEqual([false, false, true]));
});
