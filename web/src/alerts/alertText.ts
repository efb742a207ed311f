/** Alerts in words: what happened, and where to look. */
import { sentenceOf } from "../lib/codes";
import { dollars } from "../lib/money";
import type { components } from "../lib/schema";
import { roundPage } from "../rounds/finishedRound";

export type Alert = components["schemas"]["Alert"];

/** How urgent a kind is, which gives its colour and its sound. */
export type Urgency = "stop" | "win" | "look" | "ask";

export const URGENCY: Record<Alert["kind"], Urgency> = {
  "escrow-short": "stop",
  "table-stopped": "stop",
  "jackpot-win": "win",
  "large-win": "win",
  "hold-outside": "look",
  "deposit-overdue": "look",
  "approval-waiting": "ask",
};

export function alertText(alert: Alert): string {
  const amount = dollars(alert.amount ?? 0);
  switch (alert.kind) {
    case "jackpot-win":
      return `${alert.jackpot}: ${amount} won at ${alert.table}, round ${alert.round}. It waits to be verified and paid.`;
    case "escrow-short":
      return `${alert.jackpot}: escrow is ${amount} short, and its wager is stopped.`;
    case "deposit-overdue":
      return `${alert.jackpot}: ${amount} set aside since ${alert.day} should be at the bank.`;
    case "table-stopped":
      return `${alert.table} is stopped: ${alert.why ? sentenceOf(alert.why) : "its records cannot be read"}.`;
    case "large-win":
      return `${alert.player} was paid ${amount} at ${alert.table}, round ${alert.round}.`;
    case "hold-outside":
      return `${alert.table || "The house"}: the win of ${alert.day}, ${amount}, is outside its 95% range.`;
    case "approval-waiting":
      return `${alert.asked_by} asks for an approval.`;
  }
}

/** The page that shows more; empty: there is none. */
export function alertPage(alert: Alert): string {
  switch (alert.kind) {
    case "large-win":
      return roundPage(alert.table, alert.round ?? 0);
    case "table-stopped":
      return `#/floor/tables/${encodeURIComponent(alert.table)}`;
    case "hold-outside":
      return "#/floor/day";
    case "approval-waiting":
      return "#/floor/approvals";
    default:
      return "#/floor/jackpots";
  }
}
