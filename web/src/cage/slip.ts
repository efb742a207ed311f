import type { Counts } from "./denominations";

/** What was booked at the cage, for the paper. Without a number it waits for a second person. */
export interface Slip {
  title: string;
  number: string;
  table: string;
  player: string;
  amount: number;
  counts: Counts;
  by: string;
  at: string;
}
