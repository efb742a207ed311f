/**
 * The language of the pages. A language is one file with every text of the players' pages, and the sentences of codes,
 * events and results. English is built in: en.json, and the lists of sentences in lib/ that are compared with Python's.
 * Other languages are loaded before the pages are shown.
 */
import { SENTENCES } from "../lib/codeSentences";
import { ENTRIES, EVENTS, PHASES, RESULTS } from "../lib/eventSentences";
import { OWN_SENTENCES } from "../lib/ownSentences";
import texts from "./en.json";

type Sentences = Readonly<Record<string, string>>;

/** The sections of a language. */
export interface Messages {
  texts: typeof texts.texts;
  words: typeof texts.words;
  codes: Sentences; // refusals and reasons
  own: Sentences; // refusals that name a player, as they are said to that player
  events: Sentences;
  entries: Sentences;
  results: Sentences;
  phases: Sentences;
}

export const ENGLISH: Messages = {
  ...texts,
  codes: SENTENCES,
  own: OWN_SENTENCES,
  events: EVENTS,
  entries: ENTRIES,
  results: RESULTS,
  phases: PHASES,
};

/** Each language in its own words. To add one: its file beside es.json, and a line here and in OTHERS. */
export const LANGUAGES = { en: "English", es: "Español" } as const;
export type LanguageCode = keyof typeof LANGUAGES;

const OTHERS: Record<Exclude<LanguageCode, "en">, () => Promise<{ default: Messages }>> = {
  es: () => import("./es.json"),
};
const KEY = "upcard-language";

let messages: Messages = ENGLISH;
let code: LanguageCode = "en";

export const current = (): Messages => messages;
export const languageCode = (): LanguageCode => code;

/** The first language of a list that there is: "es-MX" is "es". */
export function available(wanted: readonly string[]): LanguageCode {
  const codes = wanted.map((tag) => tag.slice(0, 2).toLowerCase());
  return codes.find((tag): tag is LanguageCode => Object.hasOwn(LANGUAGES, tag)) ?? "en";
}

/** Loads the language that the player chose, or else the browser's. */
export async function loadLanguage(): Promise<void> {
  await use(available([chosen(), ...navigator.languages].filter(Boolean)));
}

/** Speaks a language from now on; texts that are already on the page stay as they are. */
export async function use(wanted: LanguageCode): Promise<void> {
  messages = wanted === "en" ? ENGLISH : (await OTHERS[wanted]()).default;
  code = wanted;
  if (typeof document !== "undefined") document.documentElement.lang = wanted;
}

/** Remembers a language and shows the page in it. */
export function choose(wanted: LanguageCode): void {
  try {
    localStorage.setItem(KEY, wanted);
  } catch {
    // without storage the browser's language stays
  }
  location.reload();
}

function chosen(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
