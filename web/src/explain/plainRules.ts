/** The rules of the main game in plain words, from their values. */
import type { MainRules } from "../lib/wire";
import { text } from "../messages/text";

export function plainRules(rules: MainRules): string[] {
  const { win, blackjack, insurance, hands } = rules;
  return [
    text("rules.aim"),
    text("rules.pays", { win, blackjack }),
    text(`rules.${rules.soft17}`),
    rules.peek ? text("rules.peek") : text("rules.no_peek"),
    text("rules.insurance", { insurance }),
    rules.even_money ? text("rules.even_money") : "",
    doubling(rules),
    text(`rules.split_${rules.split}`, { hands }),
    [
      rules.hit_split_aces ? text("rules.aces_hit") : text("rules.aces"),
      rules.resplit_aces ? text("rules.aces_again") : "",
    ].join(" "),
    rules.surrender === "none" ? text("rules.no_surrender") : text("rules.surrender"),
  ].filter(Boolean);
}

function doubling(rules: MainRules): string {
  if (rules.double === "none") return text("rules.double_none");
  return [
    rules.double === "any" ? text("rules.double_any") : text("rules.double_totals", { totals: rules.double }),
    rules.double_after_split ? text("rules.double_after_split") : text("rules.no_double_after_split"),
    rules.double_for_less ? text("rules.double_for_less") : "",
  ].join(" ");
}
