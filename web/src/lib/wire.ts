/** What the service says, as the felt uses it. Commands and layouts are typed by the generated schema. */
import type { components } from "./schema";

export type LayoutCard = components["schemas"]["LayoutCard"];
export type Circle = components["schemas"]["Circle"];
export type Me = components["schemas"]["Me"];
export type Said = components["schemas"]["Say"]["command"];

export interface GameEvent {
  event: string;
  [told: string]: unknown;
}

export interface HandView {
  cards: string[];
  total: number;
  soft: boolean;
  stakes: Record<string, number>;
  doubled: Record<string, number>;
  done: boolean;
  result: string | null;
}

export interface SpotView {
  spot: number;
  player: string;
  wagers: Record<string, number>;
  insurance: Record<string, number>;
  hands: HandView[];
}

export interface RoundView {
  round: number;
  phase: string;
  awaits: string;
  dealer: { cards: string[]; total: number };
  spots: SpotView[];
  turn?: { spot: number; hand: number };
  insurance?: number[];
}

export interface WagerView {
  role: string;
  least: number;
  most: number;
  step: number;
  late: boolean;
  amounts?: number[];
  equals?: string;
  off?: string;
}

export interface TableView {
  table: string;
  layout: string;
  game: string;
  number: number;
  at: string;
  open: boolean;
  closing: boolean;
  seats: Record<string, string>;
  absent: string[];
  ready: string[];
  spots: number;
  posted_minimum: number;
  wagers: Record<string, WagerView>;
  shoe: { number: number; cards: number; begun: boolean; last_round: boolean };
  timers: Record<string, string>;
  round: RoundView | null;
}

export interface AmountRange {
  least: number;
  most: number;
  step: number;
  only?: number[];
}

export interface Choice {
  do: string;
  spot?: number;
  wager?: string;
  amounts?: Record<string, AmountRange>;
}

export interface Mine {
  choices: Choice[];
  bankroll?: number;
}

export interface Slip {
  spot: number;
  player: string;
  wager: string;
  hand: number | null;
  stake: number;
  paid: number;
  returned: number;
  won: string;
  reason: string;
  claim?: { jackpot: string; share: string; event: string };
}

export type FromServer =
  | { type: "snapshot"; table: string; number: number; state: TableView; mine?: Mine }
  | { type: "events"; table: string; number: number; events: GameEvent[]; state?: TableView; mine?: Mine }
  | { type: "answer"; id: string; number: number; told: Record<string, unknown>; repeated: boolean }
  | { type: "refused"; id: string; reason: string; detail: string }
  | { type: "problem"; reason: string; detail: string }
  | { type: "pong" };

export interface TableShort {
  table: string;
  layout: string;
  game: string;
  open: boolean;
  posted_minimum: number;
  spots: number;
  seats: Record<string, string>;
  round: number;
  stopped?: string;
}

export interface PlayedRound {
  at: string;
  table_name: string;
  round: number;
  staked: number;
  back: number;
}

export interface RoundTold {
  round: number;
  at: string;
  void: string | null;
  slips: Slip[];
  records: { number: number; events: GameEvent[] }[];
}
