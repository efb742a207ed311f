/** What to show for an error. */
import { capital } from "./codes";

/** The error's own words, to stand inside a sentence. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The same as a sentence of its own: with a capital letter and a full stop. */
export function errorSentence(error: unknown): string {
  const text = capital(errorText(error));
  return !text || /[.!?]$/.test(text) ? text : `${text}.`;
}
