/**
 * Codes and their sentences: refusals, reasons and prompts come as a code with its parameters and are put into words
 * here. A sentence names its parameters in braces, with a format where the plain value will not do:
 *
 *     {spot}            the value itself
 *     {amount:money}    cents as dollars
 *     {id:quoted}       a text in quotation marks
 *     {others:or}       a list, "Ante or Blackjack"; {spots:list} has commas, {only:money_or} is a list of amounts
 *     {held:stakes}     cents by wager, "Ante $5, Top 3 $1"
 *     {card:card}       a card in words, "queen of hearts"
 *     {why:coded}       another code with parameters of its own
 *     {at:moment}       a moment: for staff in the house's zone, for others as it is stored
 */
import { cardName } from "./cardText";
import { dollars } from "./money";
import { current } from "../messages/language";

export type Details = Readonly<Record<string, unknown>>;
export type Formats = Readonly<Record<string, (value: unknown) => string>>;

/** What went wrong, as the service sends it: `details` only where `reason` is a code that has a sentence. */
export interface Problem {
  reason: string;
  details?: Details | null;
  detail: string;
}

let momentText = utcMoment;

function utcMoment(at: string): string {
  return `${at.slice(0, 19).replace("T", " ")} UTC`;
}

/** From now on sentences tell moments so; null: not yet. */
export function tellMomentsBy(text: (at: string) => string | null): void {
  momentText = (at) => text(at) ?? utcMoment(at);
}

export const FORMATS: Formats = {
  money: (cents) => dollars(Number(cents)),
  quoted: (text) => `'${plain(text)}'`,
  or: (list) => eitherOf(items(list).map(plain)),
  list: (list) => items(list).map(plain).join(", ") || current().words.none,
  money_or: (amounts) => eitherOf(items(amounts).map((cents) => dollars(Number(cents)))),
  stakes: (stakes) =>
    Object.entries(stakes as Record<string, number>)
      .map(([wager, cents]) => `${wager} ${dollars(cents)}`)
      .join(", ") || current().words.none,
  card: (card) => cardName(plain(card)),
  coded: (coded) => sentenceOf(coded as Details),
  moment: (at) => momentText(plain(at)),
};

/** The sentence of a code; a code of a later version, which is not known here, is shown as it is. */
export function sentence(code: string, details: Details = {}): string {
  if (isKnown(code)) return fill(current().codes[code] ?? "", details);
  return [code, ...Object.entries(details).map(([name, value]) => `${name} ${plain(value)}`)].join(", ");
}

/** The sentence of a code that has its parameters beside it. */
export function sentenceOf(coded: Details): string {
  const { code, ...details } = coded;
  return sentence(plain(code), details);
}

/** A problem in words: its code's own, or else those of the service. Whom it is about is addressed, if they read it. */
export function problemText(problem: Problem, reader?: string): string {
  const own = problem.details?.["player"] === reader ? current().own[problem.reason] : undefined;
  if (problem.details && own !== undefined) return fill(own, problem.details);
  return problem.details && isKnown(problem.reason) ? sentence(problem.reason, problem.details) : problem.detail;
}

/** A sentence with its parameters; one that is missing is shown as "?". */
export function fill(text: string, details: Details, formats: Formats = FORMATS): string {
  return text.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, format?: string) => {
    const value = details[name];
    if (value === undefined || value === null) return "?";
    return format === undefined ? plain(value) : (formats[format] ?? plain)(value);
  });
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export function uncapital(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

export function isCoded(value: unknown): value is Details {
  return typeof value === "object" && value !== null && typeof (value as Details)["code"] === "string";
}

function isKnown(code: string): boolean {
  return Object.hasOwn(current().codes, code);
}

function eitherOf(list: readonly string[]): string {
  return list.join(` ${current().words.or} `);
}

function items(list: unknown): unknown[] {
  return Array.isArray(list) ? list : [list];
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
