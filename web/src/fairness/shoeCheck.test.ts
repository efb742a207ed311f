import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import vectors from "../../../tests/shoe_vectors.json";
import type { ShoeEvidence } from "../lib/wire";
import { checkShoe, evidenceFile } from "./shoeCheck";
import { commitmentOf, shoeOrder } from "./shoeOrder";
import { ShoeWitness } from "./shoeWitness.svelte";

interface ShoeRecord {
  layout: string;
  key: string;
  nonce: string;
  cut: number;
  commitment: string;
  promise: string;
  dealt: string;
  refills: string[];
}

interface Vector {
  name: string;
  decks: number;
  least_cut: number;
  most_cut: number;
  order_sha256: string;
  record: ShoeRecord;
}

// The vectors of the command line: both verifiers read the same file.
const genuine: Vector[] = vectors.genuine;
const tampered: { of: string; change: Partial<ShoeRecord>; problem: string; sentence: string }[] = vectors.tampered;

function evidenceOf(vector: Vector, change: Partial<ShoeRecord> = {}): ShoeEvidence {
  const record = { ...vector.record, ...change };
  const { decks, least_cut, most_cut } = vector;
  const words = (text: string) => text.split(" ").filter(Boolean);
  const rounds = [{ round: 1, cards: words(record.dealt) }];
  return { ...record, shoe: 1, decks, least_cut, most_cut, rounds, refills: record.refills.map(words) };
}

describe("a shoe of the test vectors", () => {
  it.each(genuine)("is genuine: $name", (vector) => {
    const order = shoeOrder(vector.decks, vector.record).join(" ");
    expect(bytesToHex(sha256(utf8ToBytes(order)))).toBe(vector.order_sha256);
    expect(commitmentOf(vector.record.key)).toBe(vector.record.commitment);
    expect(checkShoe(evidenceOf(vector)).problems).toEqual([]);
    expect(JSON.parse(evidenceFile(evidenceOf(vector)))).toEqual(vector.record);
  });

  it.each(tampered)("is rejected when changed: $problem, $sentence", ({ of, change, problem }) => {
    const vector = genuine.find((other) => other.name === of)!;
    expect(checkShoe(evidenceOf(vector, change)).problems.map((found) => found.code)).toContain(problem);
  });
});

describe("a shoe that this browser saw dealt", () => {
  const vector = genuine[1]!;
  const evidence = evidenceOf(vector);
  const cards = evidence.rounds[0]!.cards;

  function witness(dealt = cards.slice(0, 4), commitment = vector.record.commitment): ShoeWitness {
    const saw = new ShoeWitness("Ann");
    saw.add({ event: "shoe-promised", shoe: 1, commitment: vector.record.promise });
    saw.add({ event: "shoe-committed", shoe: 1, commitment });
    saw.add({ event: "cut-chosen", player: "Bob", words: "0", place: null });
    saw.add({ event: "cut-chosen", player: "Ann", words: "4711", place: 39 });
    saw.add({ event: "shoe-begun", shoe: 1 });
    saw.add({ event: "round-begun", round: 1 });
    for (const [at, card] of dealt.entries())
      saw.add(at === 3 ? { event: "hole-card-dealt" } : { event: "card-dealt", spot: 1, hand: 0, card });
    return saw;
  }

  it("agrees with its evidence, with the hole card face down and turned over", () => {
    const saw = witness();
    expect(saw.shoes[1]?.rounds[1]).toEqual([...cards.slice(0, 3), "?"]);
    expect(checkShoe(evidence, saw.shoes[1]).problems).toEqual([]);
    saw.add({ event: "hole-revealed", card: cards[3] });
    expect(saw.shoes[1]?.rounds[1]).toEqual(cards.slice(0, 4));
    expect(checkShoe(evidence, saw.shoes[1]).problems).toEqual([]);
  });

  it("is rejected if another card was dealt here, though the evidence holds by itself", () => {
    const other = cards[0] === "2c" ? "3c" : "2c";
    const { problems } = checkShoe(evidence, witness([other, ...cards.slice(1, 4)]).shoes[1]);
    expect(problems).toEqual([{ code: "seen-cards", details: { round: 1 } }]);
  });

  it("is rejected if a round that was seen is not in the evidence", () => {
    const later = { ...evidence, rounds: [{ round: 2, cards }] };
    expect(checkShoe(later, witness().shoes[1]).problems).toEqual([{ code: "seen-cards", details: { round: 1 } }]);
  });

  it("is rejected if another hash was published here", () => {
    expect(checkShoe(evidence, witness([], "ab".repeat(32)).shoes[1]).problems[0]?.code).toBe("seen-commitment");
  });

  it("is rejected if this player's number is not in the shuffle", () => {
    const saw = witness();
    saw.add({ event: "shoe-committed", shoe: 1, commitment: vector.record.commitment });
    saw.add({ event: "cut-chosen", player: "Ann", words: "999", place: null });
    const { problems } = checkShoe(evidence, saw.shoes[1]);
    expect(problems).toEqual([{ code: "number", details: { number: "Ann 999" } }]);
  });

  it("is not compared with a round that was seen only in part", () => {
    const saw = new ShoeWitness("Ann");
    saw.start(1, true);
    saw.add({ event: "card-dealt", spot: 1, hand: 0, card: "2c" });
    expect(saw.shoes[1]?.rounds[1]).toBeUndefined();
  });
});
