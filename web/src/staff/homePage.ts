/** The pages of those who work here, and where each of them begins. */
import type { Me } from "../lib/wire";

export function isOfStaff(page: string): boolean {
  return ["floor", "dealer", "display"].includes(page);
}

export function homeOf(me: Me): string {
  const has = (role: string) => me.roles.includes(role);
  if (has("player")) return "/";
  if (has("dealer")) return "/dealer";
  return me.roles.every((role) => role === "display") ? "/display" : "/floor";
}
