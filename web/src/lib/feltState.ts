/** What is on the felt: built event by event, so that cards come one by one and stay until the next wager. */
import type { GameEvent, RoundView, Slip } from "./wire";

export interface Hand {
  cards: string[];
  stakes: Record<string, number>;
  doubled: Record<string, number>;
  done: boolean;
  split: boolean;
  result: string | null;
}

export interface Spot {
  spot: number;
  player: string;
  wagers: Record<string, number>;
  insurance: Record<string, number>;
  hands: Hand[];
  decided: Record<string, string | null>;
}

export interface Felt {
  round: number;
  phase: string;
  dealer: string[];
  spots: Record<number, Spot>;
  turn: { spot: number; hand: number } | null;
  slips: Slip[];
  over: boolean;
}

export const HOLE = "?";

export function emptyFelt(round = 0): Felt {
  return { round, phase: "betting", dealer: [], spots: {}, turn: null, slips: [], over: false };
}

/** The felt from the service's view of the round; what only events tell is copied from the felt before. */
export function feltOf(view: RoundView, before: Felt): Felt {
  const same = before.round === view.round ? before : emptyFelt();
  const spots: Record<number, Spot> = {};
  for (const seat of view.spots) {
    spots[seat.spot] = {
      spot: seat.spot,
      player: seat.player,
      wagers: { ...seat.wagers },
      insurance: { ...seat.insurance },
      hands: seat.hands.map((hand) => ({
        cards: [...hand.cards],
        stakes: { ...hand.stakes },
        doubled: { ...hand.doubled },
        done: hand.done,
        split: seat.hands.length > 1,
        result: hand.result,
      })),
      decided: same.spots[seat.spot]?.decided ?? {},
    };
  }
  const { round, phase, dealer, turn } = view;
  const slips = view.slips ?? [];
  return { round, phase, dealer: [...dealer.cards], spots, turn: turn ?? null, slips, over: false };
}

/** The felt after one more event; other events do not change it. */
export function fold(felt: Felt, event: GameEvent): Felt {
  const spot = event["spot"] as number;
  const hand = event["hand"] as number;
  switch (event.event) {
    case "round-begun":
      return emptyFelt(event["round"] as number);
    case "wager-placed":
      return placed(felt, event);
    case "wagers-cleared":
      return cleared(felt, spot, event["wagers"] as string[]);
    case "betting-closed":
      return dealt(felt, event["main_wagers"] as string[]);
    case "card-dealt":
      return withHand(felt, spot, hand, (before) => ({ ...before, cards: [...before.cards, event["card"] as string] }));
    case "dealer-card-dealt":
      return { ...felt, dealer: [...felt.dealer, event["card"] as string] };
    case "hole-card-dealt":
      return { ...felt, dealer: [...felt.dealer, HOLE] };
    case "hole-revealed":
      return { ...felt, dealer: felt.dealer.map((card) => (card === HOLE ? (event["card"] as string) : card)) };
    case "insurance-offered":
      return { ...felt, phase: "insurance" };
    case "late-wagers-opened":
      return { ...felt, phase: "late-wagers" };
    case "insured":
      return withSpot(felt, spot, (seat) => ({ ...seat, insurance: event["amounts"] as Record<string, number> }));
    case "play-began":
      return { ...felt, phase: "play" };
    case "dealer-turn-began":
      return { ...felt, phase: "dealer", turn: null };
    case "hand-stayed":
      return withHand(felt, spot, hand, (before) => ({ ...before, done: true }));
    case "hand-doubled":
      return withHand(felt, spot, hand, (played) => ({
        ...played,
        doubled: event["amounts"] as Record<string, number>,
      }));
    case "hand-split":
      return split(felt, spot, hand);
    case "decided":
      return decided(felt, event);
    case "slip":
      return { ...felt, slips: [...felt.slips, event as unknown as Slip] };
    case "slip-reversed":
      return reversed(felt, event);
    case "round-over": // the slips of a void round are reversed
      return { ...felt, over: true, phase: "over", turn: null, slips: event["void"] ? [] : felt.slips };
    default:
      return felt;
  }
}

function withSpot(felt: Felt, number: number, change: (spot: Spot) => Spot): Felt {
  const spot = felt.spots[number];
  return spot ? { ...felt, spots: { ...felt.spots, [number]: change(spot) } } : felt;
}

function withHand(felt: Felt, number: number, index: number, change: (hand: Hand) => Hand): Felt {
  return withSpot(felt, number, (spot) => ({
    ...spot,
    hands: spot.hands.map((hand, at) => (at === index ? change(hand) : hand)),
  }));
}

function placed(felt: Felt, event: GameEvent): Felt {
  const number = event["spot"] as number;
  const before: Spot = felt.spots[number] ?? {
    spot: number,
    player: event["player"] as string,
    wagers: {},
    insurance: {},
    hands: [],
    decided: {},
  };
  const wagers = { ...before.wagers, [event["wager"] as string]: event["amount"] as number };
  return { ...felt, spots: { ...felt.spots, [number]: { ...before, wagers } } };
}

function cleared(felt: Felt, number: number, wagers: string[]): Felt {
  const next = withSpot(felt, number, (spot) => ({
    ...spot,
    wagers: Object.fromEntries(Object.entries(spot.wagers).filter(([name]) => !wagers.includes(name))),
  }));
  const spots = Object.entries(next.spots).filter(([, spot]) => Object.keys(spot.wagers).length > 0);
  return { ...next, spots: Object.fromEntries(spots) };
}

function dealt(felt: Felt, main: string[]): Felt {
  const spots: Record<number, Spot> = {};
  for (const spot of Object.values(felt.spots)) {
    const stakes = Object.fromEntries(Object.entries(spot.wagers).filter(([name]) => main.includes(name)));
    const hand: Hand = { cards: [], stakes, doubled: {}, done: false, split: false, result: null };
    spots[spot.spot] = { ...spot, hands: [hand] };
  }
  return { ...felt, phase: "dealing", spots };
}

function split(felt: Felt, number: number, index: number): Felt {
  return withSpot(felt, number, (spot) => ({
    ...spot,
    hands: spot.hands.flatMap((hand, at) =>
      at === index
        ? hand.cards.map((card) => ({ ...hand, cards: [card], doubled: {}, split: true, done: false }))
        : [hand],
    ),
  }));
}

/** A wager that was settled wrong is undecided again. */
function reversed(felt: Felt, event: GameEvent): Felt {
  const wager = event["wager"] as string;
  const same = (slip: Slip) =>
    slip.spot === event["spot"] && slip.wager === wager && (slip.hand ?? null) === event["hand"];
  const undecided = withSpot(felt, event["spot"] as number, (spot) => ({
    ...spot,
    decided: Object.fromEntries(Object.entries(spot.decided).filter(([name]) => name !== wager)),
  }));
  return { ...undecided, slips: felt.slips.filter((slip) => !same(slip)) };
}

function decided(felt: Felt, event: GameEvent): Felt {
  const number = event["spot"] as number;
  if (typeof event["wager"] === "string") {
    const wager = event["wager"];
    const won = (event["won"] as string | null) ?? null;
    return withSpot(felt, number, (spot) => ({ ...spot, decided: { ...spot.decided, [wager]: won } }));
  }
  if (typeof event["result"] === "string") {
    const result = event["result"];
    return withHand(felt, number, event["hand"] as number, (hand) => ({ ...hand, result, done: true }));
  }
  return felt;
}
