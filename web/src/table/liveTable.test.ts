import { beforeEach, describe, expect, it, vi } from "vitest";
import { PostedCard } from "../lib/postedCard.svelte";
import type { LayoutCard, TableView } from "../lib/wire";

class FakeSocket {
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = 1;
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((closed: { code: number; reason: string }) => void) | null = null;

  constructor() {
    FakeSocket.made.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close() {
    this.readyState = 3;
  }
  hear(message: unknown) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

vi.stubGlobal("WebSocket", FakeSocket);
vi.stubGlobal("location", { protocol: "http:", host: "localhost" });
vi.stubGlobal("document", { hidden: true, activeElement: null });
const serve = (cardNow: () => unknown, asked: string[] = []) =>
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return Promise.resolve(new Response(JSON.stringify(path.endsWith("/card") ? cardNow() : { ticket: "t" })));
  });
const { LiveTable } = await import("./liveTable.svelte");

const circle = {
  felt_name: "",
  late: false,
  off: "",
  aggregate_limit: null,
  equals: "",
  amounts: [],
  conditions: [],
  paytable: null,
};
const ante = { ...circle, name: "Ante", role: "main", least: 500, most: 1000, step: 50, limits: "$5 to $10" };
const jackpot = { ...ante, name: "Jackpot", felt_name: "Jackpot", role: "jackpot", limits: "$1" };
const card = { wagers: [ante, jackpot] } as unknown as LayoutCard;
serve(() => card);

const table = (number: number, more: Partial<TableView> = {}): TableView => ({
  table: "T",
  layout: "T",
  game: "g",
  rules: "a",
  number,
  at: new Date().toISOString(),
  open: true,
  closing: false,
  seats: { 3: "Ann" },
  absent: [],
  ready: [],
  spots: 6,
  posted_minimum: 500,
  shuffled: "automatic",
  shuffler: "automatic",
  wagers: {},
  shoe: { number: 1, cards: 312, discards: 0, begun: true, last_round: false },
  timers: {},
  round: null,
  ...more,
});

const soon = () => new Promise((done) => setTimeout(done, 5));

async function sitting() {
  FakeSocket.made = [];
  const live = new LiveTable("T", "Ann", card, 100_000);
  await soon();
  const socket = FakeSocket.made[0]!;
  socket.onopen?.();
  socket.hear({ type: "snapshot", table: "T", number: 5, state: table(5), mine: { choices: [], bankroll: 90_000 } });
  await soon();
  return { live, socket };
}

describe("a live table", () => {
  beforeEach(() => vi.useRealTimers());

  it("takes a snapshot in: seats, money and whether to bet", async () => {
    const { live, socket } = await sitting();
    expect(socket.sent[0]).toEqual({ type: "watch", table: "T", shown: true });
    expect(live.ownSpots).toEqual([3]);
    expect(live.bankroll).toBe(90_000);
    expect(live.betting).toBe(true);
    live.end();
  });

  it("tells every event once, however often a record comes", async () => {
    const { live, socket } = await sitting();
    const record = {
      type: "events",
      table: "T",
      number: 6,
      events: [{ event: "round-begun", round: 1 }],
      state: table(6),
    };
    socket.hear(record);
    socket.hear(record);
    await soon();
    expect(live.log.map((line) => line.text)).toEqual(["Place your bets."]);
    live.end();
  });

  it("hands chips in and is ready, with one command", async () => {
    const { live, socket } = await sitting();
    live.draft.put(3, ante, 500);
    const dealt = live.draft.deal();
    await soon();
    const bet = socket.sent.at(-1) as { id: string; command: unknown };
    const command = { do: "bet-spots", player: "Ann", spots: { 3: { Ante: 500 } }, ready: true };
    expect(bet.command).toEqual({ table: "T", ...command });
    socket.hear({ type: "answer", id: bet.id, number: 6, told: {}, repeated: false });
    await dealt;
    expect(live.draft.bets).toEqual({ draft: {}, past: [], last: { 3: { Ante: 500 } } });
    live.end();
  });

  it("makes a refusal's sentence from its code and keeps the chips", async () => {
    const { live, socket } = await sitting();
    live.draft.put(3, ante, 50);
    const dealt = live.draft.deal();
    await soon();
    const bet = socket.sent.at(-1) as { id: string };
    const details = { wager: "Ante", least: 500, amount: 50 };
    socket.hear({ type: "refused", id: bet.id, reason: "BELOW_MINIMUM", details, detail: "as a terminal says it" });
    await dealt;
    expect(live.notice).toBe("The minimum Ante is $5, not $0.50.");
    expect(live.draft.bets.draft).toEqual({ 3: { Ante: 50 } });
    live.end();
  });

  it("draws another card when the table has taken other rules, and gives chips of lost circles back", async () => {
    const { live, socket } = await sitting();
    live.draft.put(3, ante, 500);
    const other = { ...ante, name: "Blackjack" };
    const asked: string[] = [];
    serve(() => ({ wagers: [other] }), asked);
    socket.hear({ type: "events", table: "T", number: 6, events: [], state: table(6, { rules: "b" }) });
    socket.hear({ type: "events", table: "T", number: 7, events: [], state: table(7, { rules: "b" }) });
    await soon();
    serve(() => card);
    expect(asked).toEqual(["/api/tables/T/card"]);
    expect(live.layout.wagers.map((wager) => wager.name)).toEqual(["Blackjack"]);
    expect(live.draft.bets.draft).toEqual({});
    live.end();
  });

  it.each([
    ["a minimum", { posted_minimum: 800 }],
    ["the shuffling", { shuffled: "hand" }],
    ["a circle", { wagers: { Jackpot: { role: "jackpot", least: 1, most: 1, step: 1, late: false, off: "off/x" } } }],
  ])("draws another card when %s is posted", async (_, posted) => {
    const { live, socket } = await sitting();
    serve(() => ({ wagers: [{ ...ante, limits: "$8 to $10" }] }));
    socket.hear({ type: "events", table: "T", number: 6, events: [], state: table(6, posted) });
    await soon();
    serve(() => card);
    expect(live.layout.wagers[0]?.limits).toBe("$8 to $10");
    live.end();
  });

  it("takes chips off a circle whose jackpot is suspended, says why, and opens it again", async () => {
    const { live, socket } = await sitting();
    live.draft.put(3, ante, 500);
    live.draft.put(3, jackpot, 100);
    const off = { code: "SUSPENDED", jackpot: "J", why: "a test" };
    const meters = { type: "meters", table: "T", meters: {}, notices: {} };
    serve(() => ({ wagers: [ante, { ...jackpot, off: "SUSPENDED", limits: "off: J is suspended: a test" }] }));
    socket.hear({ ...meters, off: { Jackpot: off } });
    await soon();
    expect(live.draft.bets.draft).toEqual({ 3: { Ante: 500 } });
    expect(live.notice).toBe("Jackpot is off: J is suspended: a test.");
    expect(live.layout.wagers.map((wager) => live.circleOpen(wager))).toEqual([true, false]);
    serve(() => card);
    socket.hear({ ...meters, off: {} });
    await soon();
    expect(live.layout.wagers.map((wager) => live.circleOpen(wager))).toEqual([true, true]);
    live.end();
  });

  it("asks again for a card that did not come", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const posted = new PostedCard("T");
    vi.stubGlobal("fetch", () => Promise.reject(new Error("no network")));
    await posted.load();
    expect(posted.card).toBe(null);
    serve(() => card);
    await vi.advanceTimersByTimeAsync(1000);
    expect(posted.card).toEqual(card);
    posted.end();
  });

  it("comes back with its last number and says again what was not answered", async () => {
    const { live, socket } = await sitting();
    void live.seat(4);
    await soon();
    const said = socket.sent.at(-1);
    socket.onclose?.({ code: 1006, reason: "" });
    expect(live.connection.connected).toBe(false);
    await new Promise((done) => setTimeout(done, 400));
    const next = FakeSocket.made[1]!;
    next.onopen?.();
    expect(next.sent).toEqual([{ type: "watch", table: "T", shown: true, since: 5 }, said]);
    live.end();
  });

  it("forgets a choice when the table has moved on", async () => {
    const { live, socket } = await sitting();
    void live.seat(4);
    const chosen = live.choose({ do: "hit", spot: 3 });
    await soon();
    const seat = socket.sent.at(-1) as { id: string };
    socket.hear({ type: "events", table: "T", number: 6, events: [], state: table(6) });
    socket.hear({ type: "answer", id: seat.id, number: 6, told: {}, repeated: false });
    await chosen;
    expect(socket.sent.at(-1)).toBe(seat);
    live.end();
  });

  it("shows its chips as they come down and are taken back, and says no command", async () => {
    const { live, socket } = await sitting();
    const told = () =>
      FakeSocket.made.flatMap((message) => message.sent).filter((message) => message["type"] === "chips");
    live.draft.put(3, ante, 500);
    await new Promise((done) => setTimeout(done, 300));
    expect(told()).toEqual([{ type: "chips", table: "T", spot: 3, stakes: { Ante: 500 } }]);
    live.draft.clear();
    await new Promise((done) => setTimeout(done, 300));
    expect(told().at(-1)).toEqual({ type: "chips", table: "T", spot: 3, stakes: {} });
    expect(socket.sent.filter((message) => message["type"] === "command")).toEqual([]);
    live.end();
  });

  it("sees the chips of others until they are handed in, and the meters as they move", async () => {
    const { live, socket } = await sitting();
    socket.hear({ type: "chips", table: "T", spots: { 5: { player: "Bob", stakes: { Ante: 700 } } } });
    const signs = { meters: { Jackpot: { MEGA: 123_456 } }, off: {}, notices: { Jackpot: "House money." } };
    socket.hear({ type: "meters", table: "T", ...signs });
    expect(live.stakesOn(5)).toEqual({ Ante: 700 });
    expect(live.signs).toEqual(signs);
    const placed = { event: "wager-placed", spot: 5, player: "Bob", wager: "Ante", amount: 800 };
    socket.hear({ type: "events", table: "T", number: 6, events: [{ event: "round-begun", round: 1 }, placed] });
    await soon();
    expect(live.stakesOn(5)).toEqual({ Ante: 800 });
    live.end();
  });
});
