/** What this browser saw of each shoe while it was dealt: later the service's evidence must agree with it. */
import type { GameEvent } from "../lib/wire";

export interface SeenShoe {
  commitment: string; // published before its first wager
  promise: string; // published when the shoe before it began
  number: string; // this player's line in the shuffle, "name number"; empty if they added none
  rounds: Record<number, string[]>; // cards of rounds that were seen whole, by round
}

const UNSEEN = "?";
const KEPT = 12; // shoes

export class ShoeWitness {
  /** The shoe that waits for its first wager, or is in play. */
  current = $state(0);
  begun = $state(false);
  shoes = $state.raw<Record<number, SeenShoe>>({});
  private round: { number: number; shoe: number } | null = null;

  constructor(private readonly player: string) {}

  /** The shoe in play when the page was opened. */
  start(shoe: number, begun: boolean): void {
    this.current = shoe;
    this.begun = begun;
    this.round = null; // of a round that has begun, cards may be missing
  }

  /** What was published about shoes before the page was opened; it does not replace what was seen. */
  published(shoes: readonly { number: number; commitment: string }[]): void {
    for (const shoe of shoes)
      if (!this.shoes[shoe.number]?.commitment)
        this.change(shoe.number, (seen) => ({ ...seen, commitment: shoe.commitment }));
  }

  add(event: GameEvent): void {
    const shoe = event["shoe"] as number;
    switch (event.event) {
      case "shoe-committed":
        this.current = shoe;
        this.begun = false;
        this.change(shoe, (seen) => ({ ...seen, commitment: event["commitment"] as string }));
        break;
      case "shoe-promised":
        this.change(shoe, (seen) => ({ ...seen, promise: event["commitment"] as string }));
        break;
      case "cut-chosen":
        if (event["player"] === this.player && event["words"])
          this.change(this.current, (seen) => ({ ...seen, number: `${this.player} ${event["words"] as string}` }));
        break;
      case "shoe-begun":
        this.begun = true;
        break;
      case "round-begun":
        this.round = { number: event["round"] as number, shoe: this.current };
        break;
      case "round-over":
        this.round = null;
        break;
      case "card-dealt":
      case "dealer-card-dealt":
        this.card(event["card"] as string);
        break;
      case "hole-card-dealt":
        this.card(UNSEEN);
        break;
      case "hole-revealed":
        this.turnOver(event["card"] as string);
        break;
      default:
    }
  }

  private card(card: string): void {
    this.cards((cards) => [...cards, card]);
  }

  private turnOver(card: string): void {
    this.cards((cards) => cards.map((before) => (before === UNSEEN ? card : before)));
  }

  private cards(change: (cards: string[]) => string[]): void {
    const round = this.round;
    if (!round) return;
    this.change(round.shoe, (seen) => ({
      ...seen,
      rounds: { ...seen.rounds, [round.number]: change(seen.rounds[round.number] ?? []) },
    }));
  }

  private change(shoe: number, change: (seen: SeenShoe) => SeenShoe): void {
    const before = this.shoes[shoe] ?? { commitment: "", promise: "", number: "", rounds: {} };
    const shoes = { ...this.shoes, [shoe]: change(before) };
    delete shoes[shoe - KEPT];
    this.shoes = shoes;
  }
}
