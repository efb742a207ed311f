/** Verifies a finished shoe: what the service says of it must follow from its key, and agree with what was seen here. */
import type { ShoeEvidence } from "../lib/wire";
import { commitmentOf, isKey, refilled, shoeOrder, type Shuffle } from "./shoeOrder";
import type { SeenShoe } from "./shoeWitness.svelte";

export interface Problem {
  code:
    | "key"
    | "commitment"
    | "promise"
    | "cut"
    | "refill"
    | "too-many"
    | "card"
    | "seen-commitment"
    | "number"
    | "seen-cards";
  details: Record<string, unknown>;
}

/** The result of a check: a shoe without problems is genuine. */
export interface CheckedShoe {
  evidence: ShoeEvidence;
  cards: number; // dealt and compared
  problems: Problem[];
}

const UNSEEN = "?"; // a hole card that was never turned over

export function checkShoe(evidence: ShoeEvidence, seen?: SeenShoe): CheckedShoe {
  const problems = [...keyProblems(evidence), ...cardProblems(evidence), ...(seen ? seenProblems(evidence, seen) : [])];
  return { evidence, cards: dealtOf(evidence).filter((card) => card !== UNSEEN).length, problems };
}

export function dealtOf(evidence: ShoeEvidence): string[] {
  return evidence.rounds.flatMap((round) => round.cards);
}

/** The file that `upcard verify-shoe` reads. */
export function evidenceFile(evidence: ShoeEvidence): string {
  const { layout, key, nonce, cut, commitment, promise } = evidence;
  const refills = evidence.refills.map((cards) => cards.join(" "));
  const record = { layout, key, nonce, cut, commitment, promise, dealt: dealtOf(evidence).join(" "), refills };
  return `${JSON.stringify(record, null, 2)}\n`;
}

function keyProblems(evidence: ShoeEvidence): Problem[] {
  if (!isKey(evidence.key)) return [problem("key")];
  const commitment = commitmentOf(evidence.key);
  const problems: Problem[] = [];
  if (evidence.commitment.toLowerCase() !== commitment) problems.push(problem("commitment"));
  if (evidence.promise && evidence.promise.toLowerCase() !== commitment) problems.push(problem("promise"));
  return problems;
}

function cardProblems(evidence: ShoeEvidence): Problem[] {
  const { cut, least_cut: least, most_cut: most } = evidence;
  if (!isKey(evidence.key) || cut === null) return [];
  if (cut < least || cut > most) return [problem("cut", { cut, least, most })];
  const shuffle: Shuffle = { key: evidence.key, nonce: evidence.nonce, cut };
  const dealt = dealtOf(evidence);
  const order = shoeOrder(evidence.decks, shuffle);
  const whole = [...order];
  for (const [index, onTable] of evidence.refills.entries()) {
    const hole = dealt.slice(0, order.length).lastIndexOf(UNSEEN);
    const discards = without(
      whole,
      onTable.map((card) => (card === UNSEEN ? (order[hole] ?? card) : card)),
    );
    if (!discards) return [problem("refill", { number: index + 1 })];
    order.push(...refilled(shuffle, index + 1, discards));
  }
  if (dealt.length > order.length) return [problem("too-many", { dealt: dealt.length, cards: order.length })];
  const wrong = dealt.findIndex((card, at) => card !== UNSEEN && card !== order[at]);
  return wrong < 0 ? [] : [problem("card", { number: wrong + 1, was: dealt[wrong], expected: order[wrong] })];
}

/** Where the evidence differs from what this browser saw while the shoe was dealt. */
function seenProblems(evidence: ShoeEvidence, seen: SeenShoe): Problem[] {
  const problems: Problem[] = [];
  const published = [seen.commitment, seen.promise].filter(Boolean);
  if (published.some((hash) => hash !== evidence.commitment)) problems.push(problem("seen-commitment"));
  const numbers = new TextDecoder().decode(bytesOf(evidence.nonce)).split("\n");
  if (seen.number && !numbers.includes(seen.number)) problems.push(problem("number", { number: seen.number }));
  for (const round of evidence.rounds) {
    const cards = seen.rounds[round.round];
    if (cards && cards.some((card, at) => card !== UNSEEN && card !== round.cards[at]))
      problems.push(problem("seen-cards", { round: round.round }));
  }
  for (const round of Object.keys(seen.rounds).map(Number))
    if (!evidence.rounds.some((dealt) => dealt.round === round)) problems.push(problem("seen-cards", { round }));
  return problems;
}

/** A pile without some of its cards; null if they are not all in it. */
function without(pile: readonly string[], taken: readonly string[]): string[] | null {
  const left = [...pile];
  for (const card of taken) {
    const at = left.indexOf(card);
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

function problem(code: Problem["code"], details: Record<string, unknown> = {}): Problem {
  return { code, details };
}
