/** Cards, totals, results and events in words; the felt, its labels and the log say the same. */
import { HOLE, type Hand } from "./felt";
import { dollars, signed } from "./money";
import type { GameEvent, Slip } from "./wire";

const RANKS: Record<string, string> = {
  A: "ace",
  K: "king",
  Q: "queen",
  J: "jack",
  T: "ten",
  "9": "nine",
  "8": "eight",
  "7": "seven",
  "6": "six",
  "5": "five",
  "4": "four",
  "3": "three",
  "2": "two",
};
const SUITS: Record<string, string> = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const RESULTS: Record<string, string> = {
  blackjack: "blackjack",
  "even money": "even money",
  win: "wins",
  push: "push",
  lose: "loses",
  "dealer blackjack": "loses to blackjack",
  bust: "bust",
  surrender: "surrendered",
};

/** "queen of hearts". */
export function cardName(card: string): string {
  return card === HOLE ? "a card face down" : `${RANKS[card[0] ?? ""]} of ${SUITS[card[1] ?? ""]}`;
}

export function total(cards: readonly string[]): { best: number; soft: boolean } {
  let sum = 0;
  let aces = 0;
  for (const card of cards) {
    const rank = card[0] ?? "";
    if (rank === HOLE) continue;
    if (rank === "A") aces += 1;
    sum += rank === "A" ? 1 : "TJQK".includes(rank) ? 10 : Number(rank);
  }
  const soft = aces > 0 && sum + 10 <= 21;
  return { best: soft ? sum + 10 : sum, soft };
}

/** "7 or 17". */
export function points(cards: readonly string[]): string {
  const { best, soft } = total(cards);
  return soft && best < 21 ? `${best - 10} or ${best}` : String(best);
}

export function handTotal(hand: Hand): string {
  if (!hand.cards.length) return "";
  const natural = hand.cards.length === 2 && !hand.split && total(hand.cards).best === 21;
  return natural ? "Blackjack" : points(hand.cards);
}

export function resultWord(result: string | null): string {
  return result === null ? "" : (RESULTS[result] ?? result);
}

export function dealerTotal(cards: readonly string[]): string {
  const shown = cards.filter((card) => card !== HOLE);
  if (!shown.length) return "";
  if (shown.length < cards.length || shown.length === 1)
    return `shows ${shown[0]?.[0] === "A" ? "an ace" : points(shown)}`;
  const { best } = total(shown);
  if (shown.length === 2 && best === 21) return "Blackjack";
  return best > 21 ? `${best}, bust` : points(shown);
}

export function net(slip: Slip): number {
  return slip.paid + slip.returned - slip.stake;
}

export function outcome(slip: Slip): "won" | "lost" | "push" | "jackpot" {
  if (slip.claim) return "jackpot";
  return net(slip) > 0 ? "won" : net(slip) < 0 ? "lost" : "push";
}

/** "Suited 20 pays 9 to 1: +$45". */
export function slipSentence(slip: Slip): string {
  const reason = slip.claim ? `${slip.reason}, to be paid by the floor` : slip.reason;
  return `${capital(reason)}: ${signed(net(slip))}`;
}

/** A game as guests call it: "the-brook" is The Brook. */
export function gameTitle(slug: string): string {
  return slug.split("-").map(capital).join(" ");
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const money = (amounts: unknown) =>
  dollars(Object.values((amounts ?? {}) as Record<string, number>).reduce((sum, one) => sum + one, 0));

/** What a dealer would say of an event; null: nothing. */
export function told(event: GameEvent, me = ""): string | null {
  const spot = `Spot ${event["spot"] as number}`;
  const hand = event["hand"] ? `, hand ${(event["hand"] as number) + 1}` : "";
  switch (event.event) {
    case "said":
      return `${capital(String(event["sentence"]))}.`;
    case "wager-placed":
      return `${spot}: ${dollars(event["amount"] as number)} on ${String(event["wager"])}.`;
    case "wagers-cleared":
      return `${spot}: chips taken back.`;
    case "betting-closed":
      return "No more bets.";
    case "card-dealt":
      return `${spot}${hand}: ${cardName(String(event["card"]))}.`;
    case "dealer-card-dealt":
      return `Dealer: ${cardName(String(event["card"]))}.`;
    case "hole-card-dealt":
      return "Dealer: a card face down.";
    case "hole-revealed":
      return `Dealer turns over the ${cardName(String(event["card"]))}.`;
    case "insurance-offered":
      return "Insurance is open.";
    case "insured":
      return `${spot}: insurance of ${money(event["amounts"])}.`;
    case "insurance-declined":
      return `${spot}: no insurance.`;
    case "dealer-peeked":
      return event["blackjack"] ? "The dealer peeks: blackjack." : "The dealer peeks: no blackjack.";
    case "late-wagers-opened":
      return "Wagers after the peek are open.";
    case "hand-hit":
      return `${spot}${hand} hits.`;
    case "hand-stayed":
      return `${spot}${hand} stays.`;
    case "hand-doubled":
      return `${spot}${hand} doubles with ${money(event["amounts"])}.`;
    case "hand-split":
      return `${spot}${hand} splits.`;
    case "slip": {
      const slip = event as unknown as Slip;
      const whose = slip.player === me ? "" : `Spot ${slip.spot}, `;
      return `${whose}${slip.wager}: ${slipSentence(slip)}.`;
    }
    case "card-corrected":
      return `Corrected: ${cardName(String(event["now"]))}, not ${cardName(String(event["was"]))}, ${String(event["place"])}.`;
    case "entry-taken-back":
      return `The dealer takes back: ${String(event["entry"])}.`;
    case "timeout":
      return "Time is up.";
    case "away":
      return `${String(event["player"])} is away.`;
    case "back":
      return `${String(event["player"])} is back.`;
    case "left":
      return `${String(event["player"])} leaves spot ${event["spot"] as number}.`;
    case "round-over":
      return typeof event["void"] === "string" ? `The round is void: ${event["void"]}.` : null;
    default:
      return null;
  }
}
