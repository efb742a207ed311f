import { expect, it } from "vitest";
import tokens from "./tokens.css?raw";
import page from "../index.html?raw";

const sources = import.meta.glob<string>(["./**/*.svelte", "./**/*.css", "./**/*.ts", "!./**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
/** A hex colour, or a colour function of anything but black and white, which are shadows and highlights. */
const COLOUR =
  /(?<![\w&])#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})(?![\w-])|\b(?:rgb|hsl)a?\((?!0 0 0|255 255 255)|\boklch\(/gi;

const coloursIn = (text: string) => text.match(COLOUR) ?? [];

it("has every colour in tokens.css and in no other file", () => {
  expect(Object.keys(sources)).toEqual(expect.arrayContaining(["./App.svelte", "./app.css", "./lib/money.ts"]));
  expect(sources["./app.css"]).toContain("body");
  const elsewhere = Object.entries(sources).filter(([file]) => file !== "./tokens.css");
  const found = elsewhere.map(([file, text]) => [file, coloursIn(text)] as const);
  expect(found.filter(([, colours]) => colours.length)).toEqual([]);
  expect(coloursIn(tokens).length).toBeGreaterThan(100);
});

it("knows a colour from an anchor, a field or a shadow", () => {
  expect(coloursIn("color: #fff; fill: #12AB9f80; rgb(3 8 6 / 72%)")).toHaveLength(3);
  expect(coloursIn('href="#/lab" {#if table.face} rgb(0 0 0 / 45%) &#10003;')).toEqual([]);
});

it("uses only tokens that exist, and every one of them", () => {
  const defined = new Set([...tokens.matchAll(/(--[\w-]+):/g)].map((match) => match[1] ?? ""));
  const text = Object.values(sources).join("\n");
  const local = new Set([...text.matchAll(/(--[\w-]+)(?::|=)/g)].map((match) => match[1] ?? ""));
  const used = new Set([...text.matchAll(/var\(\s*(--[\w-]+)/g)].map((match) => match[1] ?? ""));
  const chips = [...defined].filter((token) => /^--chip-(\d+|other)$/.test(token)); // money.ts builds their names
  const named = (token: string) => text.includes(`"${token}"`) || chips.includes(token);
  expect([...used].filter((token) => !local.has(token) && token !== "--chip-")).toEqual([]);
  expect([...defined].filter((token) => !used.has(token) && !named(token))).toEqual([]);
});

it("has the page's colour in the browser's bar", () => {
  const colour = /--page: (#\w+);/.exec(tokens)?.[1];
  expect(page).toContain(`name="theme-color" content="${colour}"`);
});
