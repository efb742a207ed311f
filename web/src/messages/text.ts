/**
 * The texts of the players' pages, by key, in the language in use:
 *
 *     text("shoe.cards_left", { count: 12 })
 *
 * Parameters stand in braces, as in the sentences of codes (lib/codes.ts). A text with a singular and a plural is an
 * object with the plural forms of its language ("one", "other"), chosen by the parameter `count`.
 */
import { fill, type Details } from "../lib/codes";
import { current, languageCode, type Messages } from "./language";

export type TextKey = keyof Messages["texts"];
type Entry = string | Readonly<Record<string, string>>;

export function text(key: TextKey, details: Details = {}): string {
  const entry = (current().texts as Readonly<Record<string, Entry>>)[key] ?? key;
  return fill(typeof entry === "string" ? entry : plural(entry, Number(details["count"])), details);
}

function plural(forms: Readonly<Record<string, string>>, count: number): string {
  return forms[new Intl.PluralRules(languageCode()).select(count)] ?? forms["other"] ?? "";
}
