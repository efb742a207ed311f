/** Who may act on jackpots, and from which amounts it takes two people. */
import * as api from "../lib/api";
import type { components } from "../lib/schema";
import type { JackpotLine } from "../lib/wire";
import type { Orders } from "../staff/orders.svelte";

export type Account = components["schemas"]["JackpotAccount"];
export type Evidence = components["schemas"]["WinEvidence"];
export type Waiting = JackpotLine["waiting"][number];
type Staff = components["schemas"]["JackpotStaff"];
type Colleague = Staff["people"][number];

export const accountPath = (jackpot: string) => `/api/jackpots/${encodeURIComponent(jackpot)}/account`;

export class JackpotStaff {
  people = $state.raw<Colleague[]>([]);
  limits = $state.raw<Staff["two_people_above"] | null>(null);

  constructor(private readonly me: string) {}

  async load(): Promise<void> {
    try {
      const staff = await api.ask<Staff>("/api/jackpots/staff");
      this.people = staff.people;
      this.limits = staff.two_people_above;
    } catch {
      // without it the page says less; the service refuses what is not allowed
    }
  }

  /** Colleagues who may do something, without the person who looks at the page. */
  others(may: "verifies" | "pays" | "approves"): string[] {
    return this.people.filter((person) => person[may] && person.name !== this.me).map((person) => person.name);
  }
}

/** Why a win cannot be paid by this person now; empty: it can. */
export function whyNotPaid(win: Waiting, me: string, orders: Orders): string {
  if (!orders.can("pay-win")) return "The jackpots staff pay it.";
  if (!win.round_over) return "It can be paid when its round is over.";
  if (win.verification && !win.verified_by) return "It can be paid once somebody has verified it.";
  if (win.verification && win.verified_by === me)
    return "You verified it, so somebody else must pay it, or you hand the verification over.";
  return "";
}

export const PLANS: Record<string, string> = {
  "daily-accrual": "grows by itself every morning; house money",
  posted: "posted by the house; can change once per 24 hours",
  bonus: "bonus; posted by the house",
  progressive: "progressive; players' money in escrow",
};

/** Why a meter moved, and by which reason it may be reduced (WAC 230-15-695). */
export const REASONS: Record<string, string> = {
  opened: "opened",
  posted: "posted",
  accrued: "wagers of the day before",
  "win-locked": "a win was locked",
  reseeded: "reseeded after a win",
  restored: "restored after a denial",
  malfunction: "a malfunction raised the display",
  "to-cap": "down to the cap",
  "gross-receipts": "money that is not displayed becomes gross receipts",
  "seed-recovered": "seed recovered",
  seed: "the house recovers seed",
};

export const list = (values: Record<string, number>, money: (cents: number) => string) =>
  Object.entries(values)
    .map(([meter, value]) => `${meter} ${money(value)}`)
    .join(", ");
