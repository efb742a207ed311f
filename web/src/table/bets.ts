/** The chips a player has put down and not handed in yet: place, undo, clear, rebet. Pure; the service decides. */
import { text } from "../messages/text";
import type { Circle, GameEvent, ShownChips } from "../lib/wire";

export type Stakes = Record<string, number>;
export type Draft = Record<number, Stakes>;

export interface Bets {
  draft: Draft;
  past: Draft[];
  last: Draft; // what was handed in last
}

export interface Placed {
  bets: Bets;
  notice: string;
}

/** 004: how many wagers a spot may make, and what one of so many must not exceed. */
export interface WagerLimit {
  most: number | null;
  small: number | null;
}

export const NO_BETS: Bets = { draft: {}, past: [], last: {} };

export function staked(draft: Draft): number {
  return Object.values(draft).reduce((sum, stakes) => sum + stakesOf(stakes), 0);
}

function stakesOf(stakes: Stakes): number {
  return Object.values(stakes).reduce((sum, stake) => sum + stake, 0);
}

export function isEmpty(draft: Draft): boolean {
  return Object.values(draft).every((stakes) => Object.keys(stakes).length === 0);
}

/** Puts a chip on a circle; an amount above the limit is lowered to it, with a notice. */
export function place(
  bets: Bets,
  spot: number,
  circle: Circle,
  chip: number,
  circles: readonly Circle[],
  free: number,
  standing: Stakes = {},
  limit: WagerLimit = { most: null, small: null },
): Placed {
  const before = bets.draft[spot] ?? {};
  const current = before[circle.name] ?? 0;
  const others = { ...standing, ...before };
  const [amount, notice] = withinLimit(circle, current, withChip(circle, current, chip, others), others, limit);
  const most = free - staked(bets.draft) + current;
  if (amount > most) return { bets, notice: text("bet.left", { left: Math.max(0, free - staked(bets.draft)) }) };
  if (amount === current) return { bets, notice };
  const stakes = follow({ ...before, [circle.name]: amount }, circle, circles);
  return { bets: changed(bets, { ...bets.draft, [spot]: stakes }), notice };
}

/** The amount in a circle after one more chip, and what to tell the player. */
function withChip(circle: Circle, current: number, chip: number, others: Stakes): [number, string] {
  if (circle.off) return [current, text("sign.off", { wager: circle.name, limits: circle.limits })];
  if (circle.equals) {
    const equal = others[circle.equals] ?? 0;
    return [equal, equal ? "" : text("bet.equal_first", { main: circle.equals, wager: circle.name })];
  }
  if (circle.amounts.length) {
    const next = circle.amounts.find((amount) => amount > current);
    return [
      next ?? current,
      next === undefined ? text("bet.limits", { wager: circle.name, limits: circle.limits }) : "",
    ];
  }
  const sum = current + chip;
  if (sum > circle.most) return [circle.most, text("bet.maximum", { wager: circle.name, most: circle.most })];
  return [sum, ""];
}

/** The amount where the wagers of a spot are limited together: it may have to be the small one. */
function withinLimit(
  circle: Circle,
  current: number,
  [amount, notice]: [number, string],
  others: Stakes,
  { most, small }: WagerLimit,
): [number, string] {
  const stakes = Object.values({ ...others, [circle.name]: amount });
  if (!most || stakes.length < most || amount === 0) return [amount, notice];
  if (stakes.length > most) return [current, text("bet.most_wagers", { most })];
  if (!small || Math.min(...stakes) <= small) return [amount, notice];
  const fits = !circle.equals && !circle.amounts.length && circle.least <= small;
  return [fits ? small : current, text("bet.one_small", { most, small })];
}

/** Wagers that equal another follow it. */
function follow(stakes: Stakes, moved: Circle, circles: readonly Circle[]): Stakes {
  const next = { ...stakes };
  for (const circle of circles) {
    const amount = next[moved.name];
    if (circle.equals !== moved.name || next[circle.name] === undefined) continue;
    if (amount === undefined) delete next[circle.name];
    else next[circle.name] = amount;
  }
  return next;
}

/** A circle emptied. */
export function empty(bets: Bets, spot: number, circle: Circle, circles: readonly Circle[]): Bets {
  const stakes = { ...(bets.draft[spot] ?? {}) };
  if (stakes[circle.name] === undefined) return bets;
  delete stakes[circle.name];
  return changed(bets, { ...bets.draft, [spot]: follow(stakes, circle, circles) });
}

export function clear(bets: Bets): Bets {
  return isEmpty(bets.draft) ? bets : changed(bets, {});
}

export function undo(bets: Bets): Bets {
  const before = bets.past.at(-1);
  return before === undefined ? bets : { ...bets, draft: before, past: bets.past.slice(0, -1) };
}

/** The wagers of the round before, on the spots still held and the circles that take wagers. */
export function rebet(bets: Bets, spots: readonly number[], circles: readonly Circle[], free: number): Placed {
  const held = spots.flatMap((spot) => (bets.last[spot] ? [[spot, bets.last[spot]] as const] : []));
  const { draft: again, notice } = onOpenCircles(Object.fromEntries(held), circles);
  if (isEmpty(again)) return { bets, notice: notice || text("bet.nothing_to_repeat") };
  if (staked(again) > free) return { bets, notice: text("bet.last_was", { staked: staked(again), free }) };
  return { bets: changed(bets, again), notice };
}

/** Every stake twice, as far as its circle allows. */
export function doubled(bets: Bets, circles: readonly Circle[], free: number): Placed {
  const next: Draft = {};
  const limited = new Set<string>();
  for (const [spot, stakes] of Object.entries(bets.draft)) {
    const raised: Stakes = {};
    for (const circle of circles) {
      const stake = stakes[circle.name];
      if (stake === undefined) continue;
      if (circle.equals) raised[circle.name] = raised[circle.equals] ?? stake;
      else if (circle.amounts.length) raised[circle.name] = circle.amounts.includes(stake * 2) ? stake * 2 : stake;
      else raised[circle.name] = Math.min(stake * 2, circle.most);
      if (!circle.equals && raised[circle.name] !== stake * 2) limited.add(`${circle.name} (${circle.limits})`);
    }
    next[Number(spot)] = raised;
  }
  if (staked(next) > free) return { bets, notice: text("bet.twice_is", { staked: staked(next), free }) };
  const notice = limited.size ? text("bet.at_limit", { circles: [...limited].join(", ") }) : "";
  return { bets: changed(bets, next), notice };
}

/** Stakes in the order of the layout: the main wager first, whatever came down first. */
export function inOrder(stakes: Stakes, circles: readonly Circle[]): Stakes {
  const names = circles.map((circle) => circle.name).filter((name) => stakes[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, stakes[name] ?? 0]));
}

/** Handed in: the draft is on the table, and can be repeated next time. */
export function handedIn(bets: Bets): Bets {
  return { draft: {}, past: [], last: bets.draft };
}

/** Handed in after the peek: what was bet before the deal is repeated with it. */
export function handedInLate(bets: Bets): Bets {
  return { ...bets, draft: {}, past: [] };
}

/** The chips that other players show, after an event: no longer those that are handed in, given up or too late. */
export function stillShown(chips: ShownChips, event: GameEvent): ShownChips {
  if (event.event === "betting-closed" || event.event === "round-over") return {};
  if (event.event !== "wager-placed" && event.event !== "spot-left") return chips;
  return Object.fromEntries(Object.entries(chips).filter(([spot]) => Number(spot) !== event["spot"]));
}

/** The chips after other limits or rules were posted: those on circles that no longer take wagers come back. */
export function offered(bets: Bets, circles: readonly Circle[]): Placed {
  const { draft, notice } = onOpenCircles(bets.draft, circles);
  const past = bets.past.map((before) => onOpenCircles(before, circles).draft);
  return { bets: { draft, past, last: filled(bets.last, circles) }, notice };
}

/** A draft without circles that are off or gone, and which are off. */
function onOpenCircles(draft: Draft, circles: readonly Circle[]): { draft: Draft; notice: string } {
  const isStaked = (circle: Circle) => Object.values(draft).some((stakes) => stakes[circle.name] !== undefined);
  const off = circles.filter((circle) => circle.off && isStaked(circle));
  const open = circles.filter((circle) => !circle.off);
  return {
    draft: filled(draft, open),
    notice: off.map((circle) => text("sign.off", { wager: circle.name, limits: circle.limits })).join(" "),
  };
}

/** The stakes on these circles, by spot. */
function filled(draft: Draft, circles: readonly Circle[]): Draft {
  const spots = Object.entries(draft).map(([spot, stakes]) => [spot, inOrder(stakes, circles)] as const);
  return Object.fromEntries(spots.filter(([, stakes]) => Object.keys(stakes).length));
}

function changed(bets: Bets, draft: Draft): Bets {
  const spots = Object.fromEntries(Object.entries(draft).filter(([, stakes]) => Object.keys(stakes).length));
  return { ...bets, draft: spots, past: [...bets.past.slice(-49), bets.draft] };
}
