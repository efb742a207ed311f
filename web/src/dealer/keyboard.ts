/** A dealer's keyboard: what a key means depends on what the table waits for. Cards are two keystrokes, rank and suit. */
import type { TableView } from "../lib/wire";

export type Moment = "no shoe" | "betting" | "card" | "insurance" | "peek" | "late" | "decision" | "over" | "closed";

/** What the dealer is asked for now. */
export function moment(table: TableView): Moment {
  if (!table.open) return "closed";
  const round = table.round;
  if (!round) return table.shoe.begun ? "betting" : "no shoe";
  switch (round.phase) {
    case "betting":
      return "betting";
    case "insurance":
      return "insurance";
    case "peek":
      return "peek";
    case "late-wagers":
      return "late";
    case "over":
      return "over";
    case "play":
      return round.turn ? "decision" : "card";
    default:
      return "card";
  }
}

const RANKS: Record<string, string> = { "0": "T", "1": "1" }; // a ten is T or 0, or a 1 that its 0 must follow

/** The rank a key begins a card with; "1" may still become a ten, and is no card by itself. */
export function rank(key: string): string {
  const letter = key.toUpperCase();
  return RANKS[letter] ?? ("23456789TJQKA".includes(letter) && letter.length === 1 ? letter : "");
}

/** The suit a key ends a card with. */
export function suit(key: string): string {
  const letter = key.toLowerCase();
  return letter.length === 1 && "cdhs".includes(letter) ? letter : "";
}

export interface Order {
  do: string;
  body: Record<string, unknown>;
}

const DECISIONS: Record<string, string> = { h: "hit", s: "stay", d: "double", p: "split", r: "surrender" };
const INSURANCE: Record<string, string> = { i: "insure", n: "decline-insurance", e: "even-money" };

/** The command of a key, where one key is enough; null: it means nothing now. */
export function command(table: TableView, key: string, chosen: number): Order | null {
  const letter = key.length === 1 ? key.toLowerCase() : key;
  const spot = table.round?.turn?.spot ?? chosen;
  switch (moment(table)) {
    case "no shoe":
      return letter === "w" ? { do: "new-shoe", body: {} } : null;
    case "betting":
      return letter === "Enter" && table.round?.spots.length ? { do: "deal", body: {} } : cut(table, letter);
    case "decision":
      return DECISIONS[letter] ? { do: DECISIONS[letter], body: { spot } } : cut(table, letter);
    case "insurance": {
      const undecided = table.round?.insurance ?? [];
      const changesMind = letter !== "n" && table.round?.declined?.includes(chosen); // who declined may still insure
      const deciding = changesMind || undecided.includes(chosen) ? chosen : undecided[0];
      if (letter === "Enter") return { do: "deal", body: {} };
      return INSURANCE[letter] && deciding ? { do: INSURANCE[letter], body: { spot: deciding } } : null;
    }
    case "peek":
      if (letter === "b" || letter === "n") return { do: "peek", body: { blackjack: letter === "b" } };
      return null;
    case "late":
      return letter === "Enter" ? { do: "deal", body: {} } : null;
    case "over":
      return letter === "Enter" ? { do: "settle", body: {} } : cut(table, letter);
    default:
      return cut(table, letter);
  }
}

function cut(table: TableView, letter: string): Order | null {
  return letter === "x" && table.shoe.begun ? { do: "cut-card", body: {} } : null;
}

/** The keys that mean something now, for the line at the foot of the page. */
export function legend(now: Moment): [string, string][] {
  const always: [string, string][] = [
    ["Backspace", "take back the last entry"],
    ["C", "correct a card"],
    ["X", "the cut card is out"],
  ];
  switch (now) {
    case "no shoe":
      return [["W", "a new shoe is on the table: verified, washed, shuffled and cut"]];
    case "betting":
      return [
        ["1–7", "enter a spot's wagers"],
        ["R", "repeat the last round's wagers"],
        ["G", "seat a guest"],
        ["Enter", "no more bets: deal"],
        ["X", "the cut card is out"],
      ];
    case "card":
      return [["rank, suit", "A 2–9 T J Q K, then C D H S: Q H is the queen of hearts"], ...always];
    case "decision":
      return [["H", "hit"], ["S", "stay"], ["D", "double"], ["P", "split"], ["R", "surrender"], ...always];
    case "insurance":
      return [
        ["1–7", "select a spot, also one that declined"],
        ["I", "insurance"],
        ["N", "no insurance"],
        ["E", "even money"],
        ["Enter", "close insurance"],
        ...always.slice(0, 2),
      ];
    case "peek":
      return [["B", "blackjack"], ["N", "no blackjack"], ...always.slice(0, 2)];
    case "late":
      return [["1–7", "enter a spot's wagers"], ["Enter", "close late wagers"], ...always.slice(0, 2)];
    case "over":
      return [["Enter", "paid and taken: settle the round"], ...always];
    default:
      return [];
  }
}
