/** The chips a player has put down and not yet handed in: place, undo, clear, rebet. Pure; the service judges. */
import { sentence } from "../lib/codes";
import { dollars } from "../lib/money";
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

/** A chip into a circle: what is too much is trimmed to the limit, and said. */
export function place(
  bets: Bets,
  spot: number,
  circle: Circle,
  chip: number,
  circles: readonly Circle[],
  free: number,
  standing: Stakes = {},
): Placed {
  const own = bets.draft[spot] ?? {};
  const there = own[circle.name] ?? 0;
  const [wanted, said] = wish(circle, there, chip, { ...standing, ...own });
  const most = free - staked(bets.draft) + there;
  if (wanted > most) return { bets, notice: `You have ${dollars(Math.max(0, free - staked(bets.draft)))} left.` };
  if (wanted === there) return { bets, notice: said };
  const stakes = follow({ ...own, [circle.name]: wanted }, circle, circles);
  return { bets: changed(bets, { ...bets.draft, [spot]: stakes }), notice: said };
}

function wish(circle: Circle, there: number, chip: number, beside: Stakes): [number, string] {
  if (circle.off) return [there, `${circle.name} is off: ${sentence(circle.off)}.`];
  if (circle.equals) {
    const equal = beside[circle.equals] ?? 0;
    return [equal, equal ? "" : `Bet on the ${circle.equals} first: ${circle.name} must equal it.`];
  }
  if (circle.amounts.length) {
    const next = circle.amounts.find((amount) => amount > there);
    return [next ?? there, next === undefined ? `The limits of ${circle.name} are ${circle.limits}.` : ""];
  }
  const sum = there + chip;
  if (sum > circle.most) return [circle.most, `The maximum ${circle.name} is ${dollars(circle.most)}.`];
  return [sum, ""];
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
  const own = { ...(bets.draft[spot] ?? {}) };
  if (own[circle.name] === undefined) return bets;
  delete own[circle.name];
  return changed(bets, { ...bets.draft, [spot]: follow(own, circle, circles) });
}

export function clear(bets: Bets): Bets {
  return isEmpty(bets.draft) ? bets : changed(bets, {});
}

export function undo(bets: Bets): Bets {
  const before = bets.past.at(-1);
  return before === undefined ? bets : { ...bets, draft: before, past: bets.past.slice(0, -1) };
}

/** The wagers of the round before, on the spots still held. */
export function rebet(bets: Bets, spots: readonly number[], free: number): Placed {
  const again: Draft = {};
  for (const spot of spots) if (bets.last[spot]) again[spot] = { ...bets.last[spot] };
  if (isEmpty(again)) return { bets, notice: "There is no bet to repeat yet." };
  if (staked(again) > free)
    return { bets, notice: `The last bet was ${dollars(staked(again))}; you have ${dollars(free)}.` };
  return { bets: changed(bets, again), notice: "" };
}

/** Every stake twice, as far as its circle allows. */
export function doubled(bets: Bets, circles: readonly Circle[], free: number): Placed {
  const next: Draft = {};
  for (const [spot, stakes] of Object.entries(bets.draft)) {
    const own: Stakes = {};
    for (const circle of circles) {
      const there = stakes[circle.name];
      if (there === undefined) continue;
      if (circle.equals) own[circle.name] = own[circle.equals] ?? there;
      else if (circle.amounts.length) own[circle.name] = circle.amounts.includes(there * 2) ? there * 2 : there;
      else own[circle.name] = Math.min(there * 2, circle.most);
    }
    next[Number(spot)] = own;
  }
  if (staked(next) > free)
    return { bets, notice: `Twice the bet is ${dollars(staked(next))}; you have ${dollars(free)}.` };
  return { bets: changed(bets, next), notice: "" };
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

/** The chips of circles that are still there, where the table has taken other rules. */
export function offered(bets: Bets, circles: readonly Circle[]): Bets {
  const there = (draft: Draft) => {
    const stakes = Object.entries(draft).map(([spot, own]) => [spot, inOrder(own, circles)] as const);
    return Object.fromEntries(stakes.filter(([, own]) => Object.keys(own).length));
  };
  return { draft: there(bets.draft), past: [], last: there(bets.last) };
}

function changed(bets: Bets, draft: Draft): Bets {
  const kept = Object.fromEntries(Object.entries(draft).filter(([, stakes]) => Object.keys(stakes).length));
  return { ...bets, draft: kept, past: [...bets.past.slice(-49), bets.draft] };
}
