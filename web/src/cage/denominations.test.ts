import { describe, expect, it } from "vitest";
import { total } from "./denominations";

describe("chips counted by denomination", () => {
  it("adds up", () => expect(total({ 10000: "3", 2500: "2", 50: "1" })).toBe(350_50));
  it("is nothing if nothing is typed", () => expect(total({ 10000: "", 500: " " })).toBe(0));
  it("refuses what is no number of chips", () => {
    for (const typed of ["-1", "1.5", "x", "1e3", "12345678"]) expect(total({ 500: typed })).toBeNull();
  });
});
