/** Requests to the service over HTTP. The session is a cookie that scripts cannot read; changes carry its CSRF token. */
import { problemText, type Problem } from "./codes";
import type { components } from "./schema";
import { settings } from "./settings.svelte";
import type {
  CircleFacts,
  FinishedRound,
  Hint,
  HintsReady,
  LayoutCard,
  Me,
  OwnSession,
  Replay,
  RoundPage,
  ShoeEvidence,
  ShoeShort,
  Statistics,
  TableShort,
} from "./wire";

type Schemas = components["schemas"];
type SimulationCard = Schemas["SimulationCard"];

export class Refused extends Error {
  constructor(
    readonly reason: string,
    sentence: string,
    readonly status = 0,
    readonly problems: Schemas["Place"][] = [],
  ) {
    super(sentence);
  }
}

let csrf = "";

/** The body of a response; a refusal may have none, but a body that was cut off is an error. */
export async function read(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (response.ok) throw error;
    return {};
  }
}

export function refused(response: Response, body: unknown): Refused {
  const problem: Problem = { reason: "REFUSED", detail: response.statusText, ...(body as Partial<Problem>) };
  const { problems = [] } = body as Partial<Schemas["ProblemDetails"]>;
  return new Refused(problem.reason, problemText(problem), response.status, problems);
}

export async function ask<T>(path: string, body?: unknown, more: Record<string, string> = {}): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json", ...more };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    if (csrf) headers["X-CSRF-Token"] = csrf;
  }
  const response = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    credentials: "same-origin",
  });
  const answer = await read(response);
  if (!response.ok) throw refused(response, answer);
  return answer as T;
}

const SIGNED_IN = "upcard-signed-in"; // the cookie cannot be read: this saves a request that would be refused

function remember(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(SIGNED_IN, "yes");
    else localStorage.removeItem(SIGNED_IN);
  } catch {
    // without storage the browser asks every time
  }
}

function signed(me: Me): Me {
  csrf = me.csrf;
  remember(true);
  return me;
}

/** The person who is signed in; null for nobody. */
export async function me(): Promise<Me | null> {
  try {
    if (localStorage.getItem(SIGNED_IN) === null) return null;
    return signed(await ask<Me>("/api/me"));
  } catch (error) {
    if (error instanceof Refused && error.status === 401) {
      remember(false);
      return null;
    }
    throw error;
  }
}

export const guest = async () => signed(await ask<Me>("/api/guest", {}));
/** Whoever has an authenticator also enters a code. */
export const signIn = async (name: string, password: string, code = "") =>
  signed(await ask<Me>("/api/sign-in", { name, password, ...(code ? { code } : {}) }));
export const setUp = async (token: string, name: string, password: string) =>
  signed(await ask<Me>("/api/set-up", { token, name, password }));
export const accept = async (token: string, password: string) =>
  signed(await ask<Me>("/api/accept", { token, password }));
export const signOut = async () => {
  await ask<unknown>("/api/sign-out", {});
  csrf = "";
  remember(false);
};
/** The person's own sessions, the last used first. */
export const ownSessions = () => ask<OwnSession[]>("/api/me/sessions");
/** Ends one of the person's other sessions, or all of them. */
export const endOwnSessions = (password: string, session?: string) =>
  ask<{ ended: number }>("/api/me/sessions/end", { password, ...(session ? { session } : {}) });
export const changePassword = (old: string, next: string) => ask<unknown>("/api/password", { old, new: next });
export const ticket = async () => (await ask<{ ticket: string }>("/api/ticket", {})).ticket;
export const service = () => ask<Schemas["ServiceCard"]>("/api/service");
export const games = () => ask<{ slug: string; layouts: string[] }[]>("/api/games");
/** A layout by the given rules, or by its present files. */
export const layout = (slug: string, rules = "") =>
  ask<LayoutCard>(`/api/layouts/${slug}${rules ? `?rules=${rules}` : ""}`);
/** What is posted at a table now. */
export const card = (table: string) => ask<LayoutCard>(`/api/tables/${encodeURIComponent(table)}/card`);
/** The tables as visitors see them, who need not be signed in. */
export const lobby = () => ask<TableShort[]>("/api/lobby");
export const tables = () => ask<TableShort[]>("/api/tables");
/** The player's rounds with their cards, newest first; an empty filter is left out. */
export const history = (filter: Record<string, string>) => {
  const wanted = Object.entries(filter).filter(([, value]) => value);
  return ask<RoundPage>(`/api/me/history?${new URLSearchParams(wanted).toString()}`);
};
/** The player's results, ever or since a moment. */
export const statistics = (since = "") => ask<Statistics>(`/api/me/statistics?since=${encodeURIComponent(since)}`);
/** A token for a link to a round: who has it sees the round, without names. */
export const share = async (table: string, number: number) =>
  (await ask<{ token: string }>(`/api/me/share/${encodeURIComponent(table)}/${number}`, {})).token;
export const replay = (table: string, number: number, token: string) =>
  ask<Replay>(`/api/replays/${encodeURIComponent(table)}/${number}?token=${encodeURIComponent(token)}`);
export const jackpots = () => ask<{ jackpot: string; meters: Record<string, number> }[]>("/api/jackpots");
export const hintsReady = () => ask<HintsReady>("/api/hints");
export const hint = (table: string, spot: number) =>
  ask<Hint>(`/api/tables/${encodeURIComponent(table)}/hint?spot=${spot}`);
/** Seats up to this many bots in the free seats; 0 sends them away. */
export const company = (table: string, bots: number) =>
  ask<{ bots: string[] }>(`/api/tables/${encodeURIComponent(table)}/company`, {
    bots,
    speed: Math.min(settings.speed, 50),
  });
export const round = (table: string, number: number) =>
  ask<FinishedRound>(`/api/tables/${encodeURIComponent(table)}/rounds/${number}`);
/** The side wagers of a table: edge, hit rate, and what each would have paid on these cards. */
export const circles = (table: string, cards: { player: string; dealer: string; totals: string }) =>
  ask<CircleFacts[]>(`/api/tables/${encodeURIComponent(table)}/circles?${new URLSearchParams(cards).toString()}`);
/** The exact value of a game's main wager, in percent of it; takes seconds the first time. */
export const mainValue = (game: string, decks: number) =>
  ask<{ ev_percent: number }>(`/api/lab/main/${game}?decks=${decks}`);
/** The latest shoes of a table: what was published about each, and the keys of those that are over. */
export const shoes = (table: string) => ask<ShoeShort[]>(`/api/tables/${encodeURIComponent(table)}/shoes?most=8`);
/** A finished shoe with everything that is needed to verify it. */
export const shoe = (table: string, number: number) =>
  ask<ShoeEvidence>(`/api/tables/${encodeURIComponent(table)}/shoes/${number}`);
export const simulate = (request: Schemas["NewSimulation"]) => ask<SimulationCard>("/api/lab/simulations", request);
export const cancelSimulation = (number: number) => ask<SimulationCard>(`/api/lab/simulations/${number}/cancel`, {});
