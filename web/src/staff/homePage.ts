/** The pages of those who work here, and where each of them begins. */
import type { Me } from "../lib/wire";

export function isOfStaff(page: string): boolean {
  return ["floor", "dealer", "display"].includes(page);
}

const STAFF = ["dealer", "floor", "cashier", "jackpots", "auditor"];

/** Whether somebody works here: they sign in with a code. */
export function works(me: Me): boolean {
  return me.roles.some((role) => STAFF.includes(role));
}

export function homeOf(me: Me): string {
  const has = (role: string) => me.roles.includes(role);
  if (has("player")) return "/";
  if (has("dealer")) return "/dealer";
  return me.roles.every((role) => role === "display") ? "/display" : "/floor";
}
