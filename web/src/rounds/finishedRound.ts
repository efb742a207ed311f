/** A finished round as the floor looks it up. */
import type { Felt } from "../lib/feltState";
import { emptyFelt, fold } from "../lib/feltState";
import type { components } from "../lib/schema";
import type { FinishedRound, GameEvent, Slip } from "../lib/wire";

export type Dispute = components["schemas"]["Dispute"];
export type RoundLine = components["schemas"]["RoundLine"];

export const roundPath = (table: string, round: number) => `/api/tables/${encodeURIComponent(table)}/rounds/${round}`;
export const roundPage = (table: string, round: number) => `#/floor/rounds/${encodeURIComponent(table)}/${round}`;

export function eventsOf(round: FinishedRound): GameEvent[] {
  return round.records.flatMap((record) => record.events as GameEvent[]);
}

/** The felt at the end of the round. */
export function feltAtTheEnd(round: FinishedRound): Felt {
  return eventsOf(round).reduce(fold, emptyFelt());
}

export function slipsOf(round: FinishedRound): Slip[] {
  return round.slips as unknown as Slip[];
}

/** How a dispute ended, in words. */
export const OUTCOMES = {
  upheld: "upheld: the player was right",
  "partly-upheld": "partly upheld",
  denied: "denied: the round stands",
  withdrawn: "withdrawn by the player",
} as const;
