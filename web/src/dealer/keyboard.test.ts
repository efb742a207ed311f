import { describe, expect, it } from "vitest";
import type { TableView } from "../lib/wire";
import { command, legend, moment, rank, suit } from "./keyboard";

function table(round: object | null, more: object = {}): TableView {
  return { open: true, shoe: { begun: true }, round, ...more } as unknown as TableView;
}

describe("a card", () => {
  it("is two keystrokes, in capitals or not", () => {
    expect([rank("q"), suit("H")]).toEqual(["Q", "h"]);
    expect([rank("0"), rank("T")]).toEqual(["T", "T"]);
    expect(rank("1")).toBe("1"); // an ace, or a ten? the page asks
  });
  it("is nothing else", () => {
    expect([rank("x"), rank("Enter"), rank("h"), suit("q"), suit("Shift")]).toEqual(["", "", "", "", ""]);
  });
});

describe("the moment", () => {
  it("follows from what the table waits for", () => {
    expect(moment(table(null, { open: false }))).toBe("closed");
    expect(moment(table(null, { shoe: { begun: false } }))).toBe("no shoe");
    expect(moment(table({ phase: "play", turn: { spot: 1, hand: 0 } }))).toBe("decision");
    expect(moment(table({ phase: "play" }))).toBe("card");
    expect(moment(table({ phase: "dealer" }))).toBe("card");
    expect(moment(table({ phase: "late-wagers" }))).toBe("late");
  });
  it("decides what a key means", () => {
    const play = table({ phase: "play", turn: { spot: 3, hand: 0 } });
    expect(command(play, "s", 1)).toEqual({ do: "stay", body: { spot: 3 } });
    expect(command(table({ phase: "peek" }), "n", 1)).toEqual({ do: "peek", body: { blackjack: false } });
    expect(command(table({ phase: "dealing" }), "s", 1)).toBeNull();
    expect(command(table({ phase: "dealing" }), "x", 1)).toEqual({ do: "cut-card", body: {} });
    const insurance = table({ phase: "insurance", insurance: [2, 4] });
    expect(command(insurance, "i", 4)).toEqual({ do: "insure", body: { spot: 4 } });
    expect(command(insurance, "n", 1)).toEqual({ do: "decline-insurance", body: { spot: 2 } });
  });
  it("lets a spot that declined insurance take it until the dealer closes it", () => {
    const answered = table({ phase: "insurance", insurance: [], declined: [2] });
    expect(command(answered, "i", 2)).toEqual({ do: "insure", body: { spot: 2 } });
    expect(command(answered, "e", 2)).toEqual({ do: "even-money", body: { spot: 2 } });
    expect(command(answered, "n", 2)).toBeNull();
    expect(command(answered, "i", 0)).toBeNull();
    expect(command(answered, "Enter", 0)).toEqual({ do: "deal", body: {} });
    const asked = table({ phase: "insurance", insurance: [4], declined: [2] });
    expect(command(asked, "i", 0)).toEqual({ do: "insure", body: { spot: 4 } });
  });
  it("names only keys that do something", () => {
    expect(legend("closed")).toEqual([]);
    expect(legend("over")[0]).toEqual(["Enter", "paid and taken: settle the round"]);
  });
});
