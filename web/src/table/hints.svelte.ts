/** Hints on demand, for the hand that is to be decided; cleared when the table moves on. */
import { text } from "../messages/text";
import * as api from "../lib/api";
import { errorText } from "../lib/errorText";
import { label } from "./actions";
import type { Hint } from "../lib/wire";

const percent = (worth: number) => `${worth > 0 ? "+" : ""}${(100 * worth).toFixed(1)}%`;

/** "Hit -8.1%, Stay -12.3%: Hit is best by 4.2 cents per dollar." */
export function hintSentence(hint: Hint): string {
  const [best, next] = hint.actions;
  if (!best) return "";
  const values = hint.actions.map((action) => `${label(action.do)} ${percent(action.worth)}`).join(", ");
  const cents = (100 * hint.ahead).toFixed(1);
  const verdict = !next
    ? text("hint.only", { best: label(best.do) })
    : cents === "0.0"
      ? text("hint.same", { best: label(best.do), next: label(next.do) })
      : text("hint.best", { best: label(best.do), cents });
  const wagers = hint.left_out.join(text("hint.and"));
  const left = wagers ? ` ${text("hint.left_out", { wagers })}` : "";
  return `${values}: ${verdict}.${left}`;
}

export class Hints {
  private answer = $state.raw<{ number: number; spot: number; text: string; best: string } | null>(null);
  private asking = $state(-1);
  private ready = false;
  /** Whether this house gives hints. */
  given = $state(true);

  constructor(readonly table: string) {}

  /** Prepares hints before anybody asks: the first hint of a server takes a few seconds. */
  async prepare(): Promise<void> {
    const status = await api.hintsReady().catch(() => null);
    this.ready = status?.ready ?? false;
    this.given = status?.given ?? true;
  }

  /** The hint for the decision of this record, or that it is being calculated. */
  text(number: number): string {
    if (this.answer?.number === number) return this.answer.text;
    if (this.asking !== number) return "";
    return text(this.ready ? "hint.calculating" : "hint.first");
  }

  best(number: number): string {
    return this.answer?.number === number ? this.answer.best : "";
  }

  async ask(number: number, spot: number): Promise<void> {
    if (this.asking === number || !this.given) return;
    this.asking = number;
    try {
      const hint = await api.hint(this.table, spot);
      this.ready = true;
      this.answer = { number: hint.number, spot, text: hintSentence(hint), best: hint.actions[0]?.do ?? "" };
    } catch (error) {
      const why = errorText(error);
      this.answer = { number, spot, text: text("hint.none", { why }), best: "" };
    } finally {
      if (this.asking === number) this.asking = -1;
    }
  }
}
