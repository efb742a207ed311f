/** What orders are called, for approvals and the audit trail. A test compares the names with the service's. */
import { chipsText, type ChipsCounted } from "../cage/denominations";
import { valueText } from "./format";
import { capital, isCoded, sentenceOf } from "../lib/codes";
import { dollars } from "../lib/money";

export const TITLES: Readonly<Record<string, string>> = {
  "acknowledge-alert": "Acknowledge an alert",
  "accrue-day": "Add a day to a jackpot",
  "announce-closing": "Close after this shoe",
  "answer-call": "Answer a call",
  away: "Mark as away",
  back: "Back at the table",
  bet: "Bet",
  "bet-spots": "Bet on several spots",
  "buy-in": "Buy-in",
  "call-floor": "Call the floor",
  card: "Enter a card",
  "cash-out": "Cash-out",
  "change-rules": "Take new rules",
  clear: "Take a wager back",
  "clear-spots": "Take all wagers back",
  "close-day": "Close the gaming day",
  "close-table": "Count and close the table",
  correct: "Correct a transfer",
  "correct-card": "Correct a card",
  credit: "Credit",
  "cure-escrow": "Make the escrow good",
  cut: "Cut the shoe",
  "cut-card": "Cut card out",
  deal: "Deal",
  "decline-insurance": "Decline insurance",
  "deny-win": "Deny a jackpot win",
  deposit: "Deposit in escrow",
  double: "Double",
  "end-shoe-of-day": "New shoe for the new day",
  "escrow-lost": "Record a loss of escrow",
  "even-money": "Even money",
  fill: "Fill",
  "flat-bet": "Flat bets only",
  "hand-over": "Hand the floor over",
  hit: "Hit",
  insure: "Insure",
  leave: "Leave a spot",
  "hand-over-verification": "Hand a verification over",
  "name-house": "Name the house",
  "log-on": "Log on to the table",
  "log-off": "Log off the table",
  "new-shoe": "Place a new shoe",
  note: "Write a note",
  "open-dispute": "Open a dispute",
  "open-jackpot": "Open a jackpot",
  "open-table": "Open a table",
  "pay-tips": "Pay the tips",
  "pay-win": "Pay a jackpot win",
  peek: "Enter the peek",
  post: "Post jackpot values",
  "post-minimum": "Post a minimum",
  "publish-catalog": "Publish the catalog",
  ready: "Ready",
  reduce: "Reduce a jackpot",
  relinquish: "Free other spots",
  "renew-shoe": "New shoe after a restore",
  reset: "Reset the table",
  resume: "Resume a jackpot",
  seat: "Take a spot",
  "set-cap": "Set a cap",
  "set-hours": "Set the hours",
  "set-shuffler": "Change the shuffling",
  "settle-dispute": "Settle a dispute",
  settle: "Settle the round",
  shuffle: "Shuffle",
  "sit-out": "Sit out",
  split: "Split",
  stay: "Stay",
  surrender: "Surrender",
  suspend: "Suspend a jackpot",
  "take-back": "Take an entry back",
  "take-over": "Take the floor over",
  timeout: "Time is up",
  tip: "Tip",
  verify: "Verify a jackpot win",
  void: "Void the round",
  "withdraw-post": "Withdraw posted values",
};

type Fields = Readonly<Record<string, unknown>>;

const HIDDEN = new Set(["do", "table", "order", "request"]);
const MONEY = new Set(["amount", "amounts", "cap", "paid", "seeds", "stakes", "tray", "values"]);

/** The order of a command: the request in it, if the house was asked. */
function orderIn(command: Fields): Fields {
  return (command["request"] ?? command) as Fields;
}

export function commandTitle(command: Fields): string {
  const order = orderIn(command);
  const name = valueText(order["order"] ?? order["do"] ?? "");
  return TITLES[name] ?? capital(name.replaceAll("-", " "));
}

/** The other fields of a command in words, amounts in dollars. */
export function commandDetails(command: Fields): string {
  return Object.entries(orderIn(command))
    .filter(([name, value]) => !HIDDEN.has(name) && value !== null && value !== "" && value !== false)
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${MONEY.has(name) ? moneyText(value) : plainText(value)}`)
    .join(" · ");
}

function moneyText(value: unknown): string {
  if (typeof value === "number") return dollars(value);
  if (Array.isArray(value)) return value.map(moneyText).join(", ");
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .map(([name, part]) => `${name} ${moneyText(part)}`)
      .join(", ");
  return String(value);
}

/** Chips as they were counted: "4 of $100". */
function isChipCount(value: unknown): value is ChipsCounted {
  return typeof value === "object" && value !== null && "denomination" in value && "count" in value;
}

function plainText(value: unknown): string {
  if (isChipCount(value)) return chipsText([value]);
  if (isCoded(value)) return sentenceOf(value);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return Object.entries(value)
      .map(([name, part]) => `${name} ${plainText(part)}`)
      .join(", ");
  return Array.isArray(value) ? value.map(plainText).join(", ") : valueText(value);
}
