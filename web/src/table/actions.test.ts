import { describe, expect, it } from "vitest";
import { affordable, doubledAlike } from "./actions";
import type { Choice } from "../lib/wire";

const range = { least: 0, most: 1000, step: 100 };
const DOUBLE = { do: "double", spot: 1, amounts: { Ante: range, "Bet Bigger 2": range } } as unknown as Choice;
const CHOICES = [{ do: "hit" }, { do: "split" }, DOUBLE, { do: "insure", amounts: { Ante: range } }] as Choice[];
const offers = (chips: number) => affordable(CHOICES, chips, 2000).map((choice) => choice.do);

describe("what is offered", () => {
  it("leaves out what the player has no chips for", () => {
    expect(offers(2000)).toEqual(["hit", "split", "double", "insure"]);
    expect(offers(1999)).toEqual(["hit", "double", "insure"]);
    expect(offers(999)).toEqual(["hit", "double"]);
    expect(offers(99)).toEqual(["hit"]);
  });

  it("doubles every wager alike as far as the chips go", () => {
    expect(doubledAlike(DOUBLE, 5000)).toBe(1000);
    expect(doubledAlike(DOUBLE, 1250)).toBe(600);
    expect(doubledAlike(DOUBLE, 150)).toBe(0);
  });
});
