/** The lab's answers as the service sends them. */

export interface Listed {
  name: string;
  slug: string;
  filing: string;
  wager: string;
  kind: string;
  game: string | null;
  decks: number[];
  basis: string;
  reads_suit: boolean;
  pays: Record<string, string>;
  events: { event: string; title: string }[];
}

export interface Line {
  event: string;
  title: string;
  probability: string;
  contribution: string;
  pays: unknown;
}

export interface Odds {
  paytable: string;
  decks: number;
  basis: string;
  stake: string | null;
  edge: string;
  edge_percent: number;
  hit_rate: string;
  variance: string;
  standard_deviation: number;
  lines: Line[];
  loss: { probability: string; contribution: string };
  jackpots: {
    event: string;
    jackpot: string;
    probability: string;
    share: string;
    rounds_between_hits: number | null;
  }[];
  notices: string[];
  assumptions?: string[];
  at_meters?: { edge: string; edge_percent: number };
}

export interface Wager {
  odds: Odds;
  by_decks: { decks: number; permitted: boolean; edge_percent: number; hit_rate_percent: number }[];
  by_meter: Record<
    string,
    { break_even: number | null; posted: number | null; asked: number | null; points: [number, number][] }
  >;
  command: string;
}

export interface ByCount {
  count: string;
  tags: Record<string, number>;
  balance_per_deck: number;
  initial_count: number;
  pivot: number;
  cards_gone: number;
  favourable_percent: number;
  gain_percent: number;
  points: { running_count: number; true_count: number; chance_percent: number; edge_percent: number }[];
}

export interface Removal {
  effects_percent: Record<string, number>;
  counts: { level: number; tags: Record<string, number>; correlation: number }[];
}

export interface MainValue {
  rules: Record<string, string>;
  ev_percent: number;
  ev_percent_chart: number;
  insurance_ev_percent: number | null;
  assumptions: string[];
  notices: string[];
}

export interface Strategy {
  ev_percent_chart: number;
  chart: Record<string, Record<string, string>>;
  costs: { hand: string; up: string; plays: string; instead: string; cost_percent_a_time: number }[];
}
