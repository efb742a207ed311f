import { expect, it } from "vitest";
import { callers, FloorCall } from "./floorCall.svelte";
import type { TableView } from "./wire";

const called = { code: "notice/floor-called", player: "Ann", at: "2026-01-02T03:04:05+00:00" };

function atTable(said: boolean, ownSpots = [3]) {
  const sent: unknown[] = [];
  const submit = (command: Record<string, unknown>) => (sent.push(command), Promise.resolve(said));
  const table = { player: "Ann", ownSpots, lastRecord: 7, state: { number: 5 } as TableView, submit };
  return { table, sent, call: new FloorCall(table) };
}

it("is open from the press on, and until the floor has come", async () => {
  const { table, sent, call } = atTable(true);
  expect(call.open).toBe(false);
  await call.make();
  await call.make();
  expect(sent).toEqual([{ do: "call-floor", player: "Ann" }]);
  table.state = { number: 7 } as TableView; // what was lastRecord before is still being played
  expect(call.open).toBe(true);
  table.state = { number: 8, notices: [called] } as unknown as TableView;
  expect(call.open).toBe(true);
  table.state = { number: 9 } as TableView;
  expect(call.open).toBe(false);
});

it("can be made again where it was refused", async () => {
  const { call } = atTable(false);
  await call.make();
  expect(call.open).toBe(false);
});

it("is nobody's who does not sit here, and no other's", async () => {
  const { table, sent, call } = atTable(true, []);
  await call.make();
  expect(sent).toEqual([]);
  table.state = { number: 8, notices: [{ ...called, player: "Bob" }] } as unknown as TableView;
  expect(call.open).toBe(false);
});

it("knows a call from other notices", () => {
  expect(callers([called, { code: "notice/of-a-later-version", player: "Bob" }])).toEqual(["Ann"]);
  expect(callers()).toEqual([]);
});
