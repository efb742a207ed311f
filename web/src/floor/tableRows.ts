/** The tables of the floor, filtered and sorted: for the list and for the pit map. */
import { callers } from "../lib/floorCall.svelte";
import { gameTitle } from "../lib/titles";
import type { TableLine } from "../lib/wire";

export const STANDINGS = ["open", "closing", "game over", "closed", "stopped"] as const;
export type Standing = (typeof STANDINGS)[number];

export function standing(row: TableLine): Standing {
  if (row.stopped) return "stopped";
  if (row.counted) return "closed";
  if (!row.open) return "game over";
  return row.closing ? "closing" : "open";
}

export const isCalled = (row: TableLine) => callers(row.notices).length > 0;
export const players = (row: TableLine) => new Set(Object.values(row.seats ?? {})).size;
export const title = (row: TableLine) => (row.game ? gameTitle(row.game) : "");

const SORTS = {
  table: (row: TableLine) => row.table,
  game: title,
  state: (row: TableLine) => STANDINGS.indexOf(standing(row)) - (isCalled(row) ? 10 : 0),
  minimum: (row: TableLine) => row.posted_minimum ?? 0,
  players,
  staked: (row: TableLine) => row.staked ?? 0,
  cards: (row: TableLine) => row.shoe_cards ?? 0,
};
export type Sort = keyof typeof SORTS;

export interface Wanted {
  search: string;
  state: Standing | "called" | "";
  sort: Sort;
  down: boolean;
}

const order = new Intl.Collator("en", { numeric: true });

function fits(row: TableLine, { search, state }: Wanted): boolean {
  if (state === "called" ? !isCalled(row) : state && standing(row) !== state) return false;
  const words = `${row.table} ${row.game} ${title(row)} ${standing(row)} ${isCalled(row) ? "call" : ""}`;
  return `${words} ${Object.values(row.seats ?? {}).join(" ")}`.toLowerCase().includes(search.trim().toLowerCase());
}

/** The rows that fit, in order; those that are equal by table. */
export function rowsFor(rows: readonly TableLine[], wanted: Wanted): TableLine[] {
  const key = SORTS[wanted.sort];
  const sign = wanted.down ? -1 : 1;
  const compare = (a: TableLine, b: TableLine) => {
    const [first, second] = [key(a), key(b)];
    const by =
      typeof first === "number" && typeof second === "number"
        ? first - second
        : order.compare(String(first), String(second));
    return sign * by || order.compare(a.table, b.table);
  };
  return rows.filter((row) => fits(row, wanted)).sort(compare);
}
