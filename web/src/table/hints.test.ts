import { describe, expect, it, vi } from "vitest";
import type { Hint } from "../lib/wire";

const hint: Hint = {
  number: 12,
  spot: 3,
  hand: 0,
  cards: ["Th", "6c"],
  up: "9d",
  stake: 1000,
  insurance: false,
  actions: [
    { do: "hit", worth: -0.081, cents: -81 },
    { do: "stay", worth: -0.123, cents: -123 },
    { do: "double", worth: 0.2, cents: 200 },
  ],
  ahead: 0.042,
  left_out: [],
};
let answer: () => Promise<Response>;
vi.stubGlobal("fetch", () => answer());
const { Hints, hintSentence } = await import("./hints.svelte");

describe("a hint", () => {
  it("says what each action is worth and by how much the best is ahead", () => {
    expect(hintSentence(hint)).toBe("Hit -8.1%, Stay -12.3%, Double +20.0%: Hit is best by 4.2 cents per dollar.");
    expect(hintSentence({ ...hint, ahead: 0.0001 })).toContain("Hit and Stay are worth the same.");
    expect(hintSentence({ ...hint, left_out: ["Bust Bonus"] })).toMatch(/Bust Bonus not counted\.$/);
  });

  it("is shown for the question it answers, and gone with the next", async () => {
    answer = () => Promise.resolve(new Response(JSON.stringify(hint)));
    const hints = new Hints("T");
    const asking = hints.ask(12, 3);
    expect(hints.text(12)).toMatch(/^Calculating/);
    await asking;
    expect(hints.text(12)).toMatch(/^Hit -8.1%/);
    expect(hints.best(12)).toBe("hit");
    expect(hints.text(13)).toBe("");
    expect(hints.best(13)).toBe("");
  });

  it("tells a refusal in its words", async () => {
    const refused = {
      reason: "NO_HINTS_NOW",
      detail: "hints are not available right now; you can keep playing without them",
    };
    answer = () => Promise.resolve(new Response(JSON.stringify(refused), { status: 503 }));
    const hints = new Hints("T");
    await hints.ask(12, 3);
    expect(hints.text(12)).toBe("No hint: hints are not available right now; you can keep playing without them.");
    expect(hints.best(12)).toBe("");
  });

  it("is not asked for where none are given", async () => {
    let asked = 0;
    answer = () => {
      asked += 1;
      return Promise.resolve(new Response(JSON.stringify({ given: false, ready: false })));
    };
    const hints = new Hints("T");
    await hints.prepare();
    expect(hints.given).toBe(false);
    await hints.ask(12, 3);
    expect(asked).toBe(1);
    expect(hints.text(12)).toBe("");
  });
});
