import { afterEach, describe, expect, it } from "vitest";
import { sentence } from "../lib/codes";
import { cardName } from "../lib/cardText";
import offline from "../../public/offline.html?raw";
import spanish from "./es.json";
import { available, ENGLISH, LANGUAGES, use, type Messages } from "./language";
import { textsOfModule, textsOfPage } from "./pageTexts";
import { text } from "./text";

const OTHERS: Record<string, Messages> = { es: spanish };
const SECTIONS = Object.keys(ENGLISH) as (keyof Messages)[];

/** The forms of a text: one, or singular and plural. */
function forms(entry: unknown): string[] {
  return typeof entry === "string" ? [entry] : Object.values(entry as Record<string, string>);
}
const parameters = (entry: unknown) => [
  ...new Set(forms(entry).flatMap((form) => [...form.matchAll(/\{(\w+)(?::\w+)?\}/g)].map((match) => match[1]))),
];

describe("every language", () => {
  it("is listed here", () => {
    expect(["en", ...Object.keys(OTHERS)].sort()).toEqual(Object.keys(LANGUAGES).sort());
  });

  it.each(Object.entries(OTHERS))("has every key of English, and no other: %s", (_, messages) => {
    expect(Object.keys(messages).sort()).toEqual([...SECTIONS].sort());
    for (const section of SECTIONS)
      expect(Object.keys(messages[section]).sort(), section).toEqual(Object.keys(ENGLISH[section]).sort());
  });

  it.each(Object.entries(OTHERS))("has the parameters of English, and says something: %s", (_, messages) => {
    for (const section of SECTIONS) {
      const english: Readonly<Record<string, unknown>> = ENGLISH[section];
      for (const [key, entry] of Object.entries(messages[section] as Readonly<Record<string, unknown>>)) {
        expect(parameters(entry).sort(), `${section} ${key}`).toEqual(parameters(english[key]).sort());
        expect(forms(entry).join("") === "", `${section} ${key}`).toBe(forms(english[key]).join("") === "");
      }
    }
  });

  it.each(Object.entries(OTHERS))("has the plural forms of its own grammar: %s", (code, messages) => {
    const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
    for (const [key, entry] of Object.entries(messages.texts)) {
      if (typeof entry === "string") continue;
      expect(pluralCategories, key).toEqual(expect.arrayContaining(Object.keys(entry)));
      expect(entry, key).toHaveProperty("other");
    }
  });
});

describe("the language in use", () => {
  afterEach(() => use("en"));

  it("is the first one wanted that there is", () => {
    expect(available(["es-MX", "en"])).toBe("es");
    expect(available(["fr", "en-GB", "es"])).toBe("en");
    expect(available(["fr"])).toBe("en");
  });

  it("has texts, refusals and cards in it", async () => {
    expect(text("sign.cards_left", { count: 1 })).toBe("1 card left in the shoe");
    expect(text("sign.cards_left", { count: 12 })).toBe("12 cards left in the shoe");
    await use("es");
    expect(text("sign.cards_left", { count: 1 })).toBe("queda 1 carta en el zapato");
    expect(text("sign.cards_left", { count: 12 })).toBe("quedan 12 cartas en el zapato");
    expect(sentence("NOT_AN_ALLOWED_AMOUNT", { wager: "Bonus", allowed: [500, 1000], amount: 700 })).toBe(
      "Bonus es de $5 o $10, no de $7",
    );
    expect(cardName("Qh")).toBe("reina de corazones");
  });
});

describe("the page without a connection", () => {
  it.each(Object.entries({ en: ENGLISH, ...OTHERS }))("has the texts of the catalog: %s", (code, { texts }) => {
    const section = offline.slice(offline.indexOf(`<section lang="${code}">`));
    for (const key of ["offline.title", "offline.text", "offline.again"] as const)
      expect(section).toContain(`>${texts[key]}<`);
  });
});

const sources = import.meta.glob<string>(
  [
    "../App.svelte",
    "../{table,lobby,history,fairness,explain,ui,account}/**/*.{svelte,ts}",
    "../lib/*.ts",
    "!../**/*.test.ts",
    "!../lib/{schema.d,codeSentences,ownSentences,eventSentences}.ts", // the catalog of English itself
  ],
  { query: "?raw", import: "default", eager: true },
);

/** Not texts: the program's name, names of keys, a header, selectors of elements, and places as the filings name them. */
const ALLOWED = [
  /^((- )?Upcard|Enter|Escape|Backspace|Delete|Accept)$/,
  /^(button|input)\b.*[,[]/,
  /^\(prefers-/,
  /^(left of each wager|beside the wager)/,
];

describe("the players' pages", () => {
  it("are searched", () => {
    expect(Object.keys(sources).length).toBeGreaterThan(60);
    expect(textsOfPage('<p title="Your turn">Hit {late ? "No more bets" : ""}<b>{text("a.b")}</b></p>')).toEqual([
      "Your turn",
      "Hit",
      "No more bets",
    ]);
    expect(textsOfModule('const notice = `You have ${left} left`; const key = "some-key";')).toEqual(["You have "]);
  });

  it.each(Object.entries(sources))("have no text outside the catalog: %s", (path, source) => {
    const texts = path.endsWith(".svelte") ? textsOfPage(source) : textsOfModule(source);
    expect(texts.filter((found) => !ALLOWED.some((allowed) => allowed.test(found.trim())))).toEqual([]);
  });
});
