import { afterEach, expect, test, vi } from "vitest";
import { Refused } from "../lib/api";
import { ask } from "./labApi";

afterEach(() => vi.unstubAllGlobals());

const answers = (answer: Response) => vi.stubGlobal("fetch", () => Promise.resolve(answer));

test("an answer that is cut off in the middle is no answer", async () => {
  answers(new Response('{"rules": {', { status: 200 }));
  await expect(ask("/api/lab/main/bet-bigger")).rejects.toThrow(SyntaxError);
});

test("a refusal without words is still a refusal", async () => {
  answers(new Response("", { status: 503, statusText: "Service Unavailable" }));
  await expect(ask("/api/lab/main/bet-bigger")).rejects.toThrow(Refused);
});
