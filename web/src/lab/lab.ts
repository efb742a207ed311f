/** The lab's questions and answers. Every figure is the service's; here they are only asked for and written out. */
import { read, refused } from "../lib/api";

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

/** What is asked, as the address of the page carries it. */
export interface Asked {
  table: string;
  decks: number;
  pays: Record<string, string>;
  meters: Record<string, string>;
  suit: string;
  wager: string;
  count: string;
  gone: number | null;
  rules: Record<string, string>;
}

export const NOTHING: Asked = {
  table: "",
  decks: 0,
  pays: {},
  meters: {},
  suit: "hearts",
  wager: "",
  count: "hilo",
  gone: null,
  rules: {},
};

const pairs = (texts: string[]) =>
  Object.fromEntries(
    texts.map((text) => [text.slice(0, text.lastIndexOf("=")), text.slice(text.lastIndexOf("=") + 1)]),
  );

export function readAddress(hash: string): Asked {
  const said = new URLSearchParams(hash.includes("?") ? hash.slice(hash.indexOf("?") + 1) : "");
  return {
    table: said.get("table") ?? "",
    decks: Number(said.get("decks") ?? 0) || 0,
    pays: pairs(said.getAll("pay")),
    meters: pairs(said.getAll("meter")),
    suit: said.get("suit") ?? "hearts",
    wager: said.get("wager") ?? "",
    count: said.get("count") ?? "hilo",
    gone: Number(said.get("gone") ?? 0) || null,
    rules: pairs(said.getAll("set")),
  };
}

export function address(asked: Asked): string {
  const said = question(asked);
  const whole = new URLSearchParams([["table", asked.table], ...said]);
  if (asked.count !== "hilo") whole.set("count", asked.count);
  if (asked.gone) whole.set("gone", String(asked.gone));
  for (const [rule, way] of Object.entries(asked.rules)) whole.append("set", `${rule}=${way}`);
  return `#/lab?${whole}`;
}

/** The part of the question that is about the wager; decks that its filing does not permit are asked for as such. */
export function question(asked: Asked, permitted: number[] = [asked.decks]): URLSearchParams {
  const said = new URLSearchParams();
  if (asked.decks) said.set("decks", String(asked.decks));
  if (asked.suit !== "hearts") said.set("suit", asked.suit);
  if (asked.wager) said.set("wager", asked.wager);
  for (const [event, pay] of Object.entries(asked.pays)) said.append("pay", `${event}=${pay}`);
  for (const [meter, value] of Object.entries(asked.meters)) if (value) said.append("meter", `${meter}=${value}`);
  if (!permitted.includes(asked.decks)) said.set("any_decks", "true");
  return said;
}

export function mainQuestion(asked: Asked): URLSearchParams {
  const said = new URLSearchParams({ decks: String(asked.decks) });
  for (const [rule, way] of Object.entries(asked.rules)) said.append("set", `${rule}=${way}`);
  return said;
}

export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  const answer = await fetch(path, { headers: { Accept: "application/json" }, ...(signal ? { signal } : {}) });
  const told = await read(answer);
  if (!answer.ok) throw refused(answer, told);
  return told as T;
}

/** A sentence for whatever went wrong; nothing for a question that was given up for a newer one. */
export function errorText(wrong: unknown): string {
  if (wrong instanceof DOMException && wrong.name === "AbortError") return "";
  return wrong instanceof Error ? wrong.message : String(wrong);
}

/** "p/q" as a number, to be written out. */
export function ratio(fraction: string): number {
  const [over, under] = fraction.split("/");
  return Number(over) / Number(under ?? 1);
}

export const percent = (value: number, places = 4) => `${value.toFixed(places)}%`;
export const money = (value: number) =>
  value.toLocaleString("en-US", { style: "currency", currency: "USD", maximumFractionDigits: value < 100 ? 2 : 0 });

export function oneIn(fraction: string): string {
  const chance = ratio(fraction);
  return chance
    ? (1 / chance).toLocaleString("en-US", { maximumFractionDigits: 2, minimumFractionDigits: 2 })
    : "never";
}
