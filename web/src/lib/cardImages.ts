/** The pictures of the cards: one small file each, loaded when it is dealt. */
const two = import.meta.glob<string>("../../cards/two/*.svg", { query: "?url", import: "default", eager: true });
const four = import.meta.glob<string>("../../cards/four/*.svg", { query: "?url", import: "default", eager: true });

export function cardImage(card: string, fourColours: boolean): string {
  const name = card.toUpperCase();
  return (fourColours ? four : two)[`../../cards/${fourColours ? "four" : "two"}/${name}.svg`] ?? "";
}
