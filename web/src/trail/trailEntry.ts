/** Entries of the audit trail in words, for the page and for its CSV file. */
import { sentence } from "../lib/codes";
import { eventText } from "../lib/eventText";
import type { components } from "../lib/schema";
import type { GameEvent } from "../lib/wire";
import { commandDetails, commandTitle } from "../staff/commandTitles";
import { valueText } from "../staff/format";
import { houseTime } from "../staff/houseTime.svelte";

export type TrailEntry = components["schemas"]["TrailEntry"];

export const KINDS = {
  "": "everything",
  money: "money at tables and cage",
  voids: "voids, resets, corrections of cards",
  tables: "tables, limits, shuffling",
  jackpots: "jackpots",
  house: "the house, days, catalog",
  shift: "shift notes and disputes",
  seats: "seats",
  play: "wagers and play",
  refused: "refused",
} as const;

const HASH = 12; // leading characters of a hash that are shown

export function happened(event: Record<string, unknown>): string {
  const { rules, before } = event;
  const hashes = [before, rules].map((hash) => valueText(hash ?? "").slice(0, HASH));
  const changed = event["event"] === "rules-changed" ? ` ${hashes.join(" → ")}` : "";
  return `${eventText(event as GameEvent) ?? ""}${changed}`;
}

/** "table:Oak 1" becomes "Oak 1". */
export function place(entry: TrailEntry): string {
  const [kind = "", table = ""] = entry.stream.split(/:(.*)/s);
  return table || (kind === "floor" ? "floor log" : kind);
}

export const ordered = (entry: TrailEntry) => [commandTitle(entry.command), commandDetails(entry.command)];
export const refusedText = (entry: TrailEntry) => (entry.refused ? sentence(entry.refused, entry.details) : "");

export function csvRows(entries: readonly TrailEntry[]): string[][] {
  const head = [`Time (${houseTime.zone})`, "UTC", "Where", "Record", "Who", "Role", "Order", "Details"];
  const lines = entries.map((entry) => [
    houseTime.moment(entry.at),
    entry.at,
    place(entry),
    entry.number === null ? "" : String(entry.number),
    entry.actor,
    entry.role,
    ...ordered(entry),
    entry.approved_by ?? "",
    refusedText(entry),
  ]);
  return [[...head, "Approved by", "Refused"], ...lines];
}
