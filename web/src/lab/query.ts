/** What the lab shows: kept in the address of its page, and sent to the service as query parameters. */

export interface LabQuery {
  table: string;
  decks: number;
  pays: Record<string, string>;
  meters: Record<string, string>;
  suit: string;
  wager: string;
  count: string;
  gone: number | null; // cards dealt; null: half of the shoe
  rules: Record<string, string>;
}

export const EMPTY_QUERY: LabQuery = {
  table: "",
  decks: 0,
  pays: {},
  meters: {},
  suit: "hearts",
  wager: "",
  count: "hilo",
  gone: null,
  rules: {},
};

const pairs = (texts: string[]) =>
  Object.fromEntries(
    texts.map((text) => [text.slice(0, text.lastIndexOf("=")), text.slice(text.lastIndexOf("=") + 1)]),
  );

export function readAddress(hash: string): LabQuery {
  const params = new URLSearchParams(hash.includes("?") ? hash.slice(hash.indexOf("?") + 1) : "");
  return {
    table: params.get("table") ?? "",
    decks: Number(params.get("decks") ?? 0) || 0,
    pays: pairs(params.getAll("pay")),
    meters: pairs(params.getAll("meter")),
    suit: params.get("suit") ?? "hearts",
    wager: params.get("wager") ?? "",
    count: params.get("count") ?? "hilo",
    gone: Number(params.get("gone") ?? 0) || null,
    rules: pairs(params.getAll("set")),
  };
}

export function addressOf(query: LabQuery): string {
  const params = new URLSearchParams([["table", query.table], ...wagerParams(query)]);
  if (query.count !== "hilo") params.set("count", query.count);
  if (query.gone) params.set("gone", String(query.gone));
  for (const [rule, choice] of Object.entries(query.rules)) params.append("set", `${rule}=${choice}`);
  return `#/lab?${params}`;
}

/** The parameters of the wager; `any_decks` where its filing does not permit this number of decks. */
export function wagerParams(query: LabQuery, permitted: number[] = [query.decks]): URLSearchParams {
  const params = new URLSearchParams();
  if (query.decks) params.set("decks", String(query.decks));
  if (query.suit !== "hearts") params.set("suit", query.suit);
  if (query.wager) params.set("wager", query.wager);
  for (const [event, pay] of Object.entries(query.pays)) params.append("pay", `${event}=${pay}`);
  for (const [meter, value] of Object.entries(query.meters)) if (value) params.append("meter", `${meter}=${value}`);
  if (!permitted.includes(query.decks)) params.set("any_decks", "true");
  return params;
}

export function mainGameParams(query: LabQuery): URLSearchParams {
  const params = new URLSearchParams({ decks: String(query.decks) });
  for (const [rule, choice] of Object.entries(query.rules)) params.append("set", `${rule}=${choice}`);
  return params;
}
