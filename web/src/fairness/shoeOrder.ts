/**
 * The order of a shoe, recomputed from its key, the players' numbers and the cut, as src/upcard/cards/shoe.py deals it:
 * Fisher-Yates over a ChaCha20 key stream keyed by HMAC-SHA256(key, numbers), then rotated at the cut. Both read the
 * same vectors in their tests (tests/shoe_vectors.json).
 *
 * Loaded only when a shoe is verified. The browser's own crypto has no ChaCha20, and is missing on plain http.
 */
import { chacha20 } from "@noble/ciphers/chacha.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const RANKS = "A23456789TJQK";
const SUITS = "cdhs";
export const DECK: readonly string[] = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
const NUMBER = new Map(DECK.map((card, number) => [card, number]));

const KEY_BYTES = 32;
const BLOCKS = 64; // of 64 bytes each, per call of the cipher
const WORDS = 2 ** 32;

export interface Shuffle {
  key: string; // hex
  nonce: string; // hex: the players' numbers
  cut: number; // cards from the front
}

/** What is published before the key is used. */
export function commitmentOf(key: string): string {
  return bytesToHex(sha256(hexToBytes(key)));
}

/** Whether a text is a key: 32 bytes in hex. */
export function isKey(text: string): boolean {
  return new RegExp(`^[0-9a-fA-F]{${2 * KEY_BYTES}}$`).test(text);
}

/** Every card of a new shoe, in the order it is dealt. */
export function shoeOrder(decks: number, shuffle: Shuffle): string[] {
  const stack = Array.from({ length: decks }, () => DECK).flat();
  const order = shuffled(stack, hexToBytes(shuffle.key), hexToBytes(shuffle.nonce));
  return [...order.slice(shuffle.cut), ...order.slice(0, shuffle.cut)];
}

/** The discards of the n-th refill of a shoe, shuffled with its key and a nonce of their own (R33). */
export function refilled(shuffle: Shuffle, number: number, discards: readonly string[]): string[] {
  const nonce = concatBytes(hexToBytes(shuffle.nonce), utf8ToBytes(`/discards/${number}`));
  const sorted = [...discards].sort((a, b) => (NUMBER.get(a) ?? 0) - (NUMBER.get(b) ?? 0));
  return shuffled(sorted, hexToBytes(shuffle.key), nonce);
}

function shuffled(cards: readonly string[], key: Uint8Array, nonce: Uint8Array): string[] {
  const words = keyStream(hmac(sha256, key, nonce));
  const order = [...cards];
  for (let last = order.length - 1; last > 0; last--) {
    const chosen = below(last + 1, words);
    [order[last], order[chosen]] = [order[chosen]!, order[last]!];
  }
  return order;
}

/** A uniform number below the bound: rejects words that would favour small numbers. */
function below(bound: number, words: Iterator<number, never>): number {
  const limit = WORDS - (WORDS % bound);
  for (;;) {
    const word = words.next().value;
    if (word < limit) return word % bound;
  }
}

/** The ChaCha20 key stream as 32-bit little-endian words. */
function* keyStream(key: Uint8Array): Generator<number, never> {
  const zeros = new Uint8Array(64 * BLOCKS);
  for (let block = 0; ; block += BLOCKS) {
    const bytes = chacha20(key, new Uint8Array(12), zeros, undefined, block);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.length; at += 4) yield view.getUint32(at, true);
  }
}
