/** Asking the service over HTTP. The session is a cookie no script can read; changes carry its anti-forgery token. */
import { problemText, type Problem } from "./codes";
import type { components } from "./schema";
import type { Hint, HintsReady, LayoutCard, Me, PlayedRound, RoundTold, TableShort } from "./wire";

type Schemas = components["schemas"];
type SimulationCard = Schemas["SimulationCard"];

export class Refused extends Error {
  constructor(
    readonly reason: string,
    sentence: string,
    readonly status = 0,
  ) {
    super(sentence);
  }
}

let csrf = "";

/** What was answered; an answer that was given up, or cut off in the middle, is none. */
export async function read(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch (wrong) {
    if (answer.ok) throw wrong;
    return {};
  }
}

/** The refusal that was answered. */
export function refused(answer: Response, told: unknown): Refused {
  const problem: Problem = { reason: "REFUSED", detail: answer.statusText, ...(told as Partial<Problem>) };
  return new Refused(problem.reason, problemText(problem), answer.status);
}

export async function ask<T>(path: string, body?: unknown, more: Record<string, string> = {}): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json", ...more };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    if (csrf) headers["X-CSRF-Token"] = csrf;
  }
  const answer = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    credentials: "same-origin",
  });
  const told = await read(answer);
  if (!answer.ok) throw refused(answer, told);
  return told as T;
}

const KNOWN = "upcard-signed-in"; // the cookie itself cannot be read: this only saves asking in vain

function remember(known: boolean): void {
  try {
    if (known) localStorage.setItem(KNOWN, "yes");
    else localStorage.removeItem(KNOWN);
  } catch {
    // a browser that keeps nothing asks every time
  }
}

function signed(me: Me): Me {
  csrf = me.csrf;
  remember(true);
  return me;
}

/** Who we are here; null: nobody yet. */
export async function me(): Promise<Me | null> {
  try {
    if (localStorage.getItem(KNOWN) === null) return null;
    return signed(await ask<Me>("/api/me"));
  } catch (wrong) {
    if (wrong instanceof Refused && wrong.status === 401) {
      remember(false);
      return null;
    }
    throw wrong;
  }
}

export const guest = async () => signed(await ask<Me>("/api/guest", {}));
export const signIn = async (name: string, password: string) =>
  signed(await ask<Me>("/api/sign-in", { name, password }));
export const setUp = async (token: string, name: string, password: string) =>
  signed(await ask<Me>("/api/set-up", { token, name, password }));
export const accept = async (token: string, password: string) =>
  signed(await ask<Me>("/api/accept", { token, password }));
export const signOut = async () => {
  await ask<unknown>("/api/sign-out", {});
  csrf = "";
  remember(false);
};
export const ticket = async () => (await ask<{ ticket: string }>("/api/ticket", {})).ticket;
export const health = () => ask<{ demo: boolean; version: string }>("/healthz");
export const games = () => ask<{ slug: string; layouts: string[] }[]>("/api/games");
/** A layout's card: as a table with these rules plays it, or else as its files stand now. */
export const layout = (slug: string, rules = "") =>
  ask<LayoutCard>(`/api/layouts/${slug}${rules ? `?rules=${rules}` : ""}`);
export const tables = () => ask<TableShort[]>("/api/tables");
export const rounds = () => ask<PlayedRound[]>("/api/me/rounds?most=30");
export const jackpots = () => ask<{ jackpot: string; meters: Record<string, number> }[]>("/api/jackpots");
export const hintsReady = () => ask<HintsReady>("/api/hints");
export const hint = (table: string, spot: number) =>
  ask<Hint>(`/api/tables/${encodeURIComponent(table)}/hint?spot=${spot}`);
/** Bots for the free seats; none: they go. */
export const company = (table: string, bots: number) =>
  ask<{ bots: string[] }>(`/api/tables/${encodeURIComponent(table)}/company`, { bots });
export const round = (table: string, number: number) =>
  ask<RoundTold>(`/api/tables/${encodeURIComponent(table)}/rounds/${number}`);
export const simulate = (asked: Schemas["NewSimulation"]) => ask<SimulationCard>("/api/lab/simulations", asked);
export const cancelSimulation = (number: number) => ask<SimulationCard>(`/api/lab/simulations/${number}/cancel`, {});
