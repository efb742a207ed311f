import { expect, test } from "vitest";
import type { TableLine } from "../lib/wire";
import { rowsFor, type Wanted } from "./tableRows";

const ROWS = [
  { table: "T10", number: 1, game: "the-brook", open: true, posted_minimum: 500, seats: { "1": "Ann", "2": "Ann" } },
  { table: "T2", number: 1, game: "bet-bigger", open: true, posted_minimum: 2500, seats: { "1": "Bob" } },
  { table: "T3", number: 1, game: "bet-bigger", open: true, closing: true, posted_minimum: 500, seats: {} },
] as unknown as TableLine[];
const EVERYTHING: Wanted = { search: "", state: "", sort: "table", down: false };
const names = (wanted: Partial<Wanted>) => rowsFor(ROWS, { ...EVERYTHING, ...wanted }).map((row) => row.table);

test("tables are sorted by any column, and by name where that is equal", () => {
  expect(names({})).toEqual(["T2", "T3", "T10"]);
  expect(names({ sort: "minimum", down: true })).toEqual(["T2", "T3", "T10"]);
  expect(names({ sort: "players" })).toEqual(["T3", "T2", "T10"]);
  expect(names({ sort: "game", down: true })).toEqual(["T10", "T2", "T3"]);
});

test("tables are found by player, by the name of the game and by state", () => {
  expect(names({ search: "ann" })).toEqual(["T10"]);
  expect(names({ search: "Bet Bigger" })).toEqual(["T2", "T3"]);
  expect(names({ state: "closing" })).toEqual(["T3"]);
  expect(names({ state: "called" })).toEqual([]);
});
