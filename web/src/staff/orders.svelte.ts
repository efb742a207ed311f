/** Orders of the staff: each is carried out once, with a one-time code or a second person's approval where needed. */
import * as api from "../lib/api";
import { errorSentence } from "../lib/errorText";
import { Refused } from "../lib/api";
import { problemText } from "../lib/codes";
import { newId } from "../lib/newId";
import type { components } from "../lib/schema";

type Schemas = components["schemas"];

interface Order {
  path: string;
  body: object;
  key: string;
  what: string;
}

export interface Pending extends Order {
  approval: string;
}

/** A one-time link that an order made, for the person it is meant for. */
export interface PersonalLink {
  what: string;
  address: string;
}

/** What an order answered: the record it became, or a link. */
interface Reply {
  approval?: string;
  token?: string;
  stream?: string;
  number?: number;
  told?: Record<string, Record<string, unknown>>; // the answers of the book, by chain
}

export type Approval = Schemas["ApprovalLine"];
type ApprovalCard = Schemas["ApprovalCard"];

const ENDED: Record<string, string> = {
  withdrawn: "withdrawn",
  expired: "nobody approved it in time",
  refused: "refused",
};

const LOOK = 1500; // ms between two checks for an approval

const PLACE = "upcard-pending ";

function storedOrders(person: string): Pending[] {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE + person) ?? "[]") as Pending[];
  } catch {
    return [];
  }
}

export class Orders {
  notice = $state("");
  error = $state("");
  busy = $state(false);
  may = $state.raw<Record<string, string>>({});
  pending = $state.raw<Pending[]>([]);
  links = $state.raw<PersonalLink[]>([]); // made by orders of this page
  outcome = $state<"done" | "waiting" | "refused">("done"); // of the last order
  reason = ""; // why it was refused: a code
  reply: Reply = {}; // to the last order that was carried out
  code = $state.raw<((confirmed: boolean) => void) | null>(null); // an order waits for a one-time code

  private looking = false;
  private clock: ReturnType<typeof setInterval>;

  /** Orders that wait for approval survive a reload of the page, in this window and for this person. */
  constructor(private readonly person: string) {
    this.pending = storedOrders(person);
    this.clock = setInterval(() => void this.look(), LOOK);
    void api.ask<Record<string, string>>("/api/me/may").then(
      (may) => (this.may = may),
      (error: unknown) => (this.error = errorSentence(error)),
    );
  }

  end(): void {
    clearInterval(this.clock);
  }

  can(operation: string): boolean {
    return operation in this.may;
  }

  at(table: string, operation: string, body: object, what: string, key = newId()): Promise<boolean> {
    return this.give(`/api/tables/${encodeURIComponent(table)}/${operation}`, body, what, key);
  }

  house(operation: string, body: object, what: string): Promise<boolean> {
    return this.give(`/api/house/${operation}`, body, what);
  }

  /** Sends an order; whether it was carried out at once. A refusal becomes the error. Under the same key it is the same
   * order: a second click books nothing more. */
  async give(path: string, body: object, what: string, key = newId()): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.notice = this.error = "";
    this.outcome = "refused";
    try {
      return await this.attempt({ path, body, key, what });
    } finally {
      this.busy = false;
    }
  }

  private async attempt(order: Order): Promise<boolean> {
    const headers = { "Idempotency-Key": order.key };
    try {
      const answer = await api.ask<Reply>(order.path, order.body, headers);
      if (answer.approval) {
        this.keep([...this.pending, { ...order, approval: answer.approval }]);
        this.notice = `${order.what}: waiting for the approval of another person.`;
        this.outcome = "waiting";
        return false;
      }
      this.reply = answer;
      this.outcome = "done";
      this.keepLink(order.what, answer.token);
      this.notice = `${order.what}: done.`;
      return true;
    } catch (error) {
      if (error instanceof Refused && error.reason === "STEP_UP_NEEDED") {
        if (await this.askForCode()) return this.attempt(order);
        this.error = `${order.what}: not done, because no code was entered.`;
      } else this.error = errorSentence(error);
      this.reason = error instanceof Refused ? error.reason : "";
      return false;
    }
  }

  private keepLink(what: string, token: string | null | undefined): void {
    if (token) this.links = [...this.links, { what, address: `${location.origin}/#/accept/${token}` }];
  }

  private keep(pending: Pending[]): void {
    this.pending = pending;
    try {
      sessionStorage.setItem(PLACE + this.person, JSON.stringify(pending));
    } catch {
      // a browser that keeps nothing forgets them with the page
    }
  }

  private askForCode(): Promise<boolean> {
    return new Promise((done) => {
      this.code = (confirmed) => {
        this.code = null;
        done(confirmed);
      };
    });
  }

  /** Takes back an order that nobody has approved yet. */
  async withdraw(order: Pending): Promise<void> {
    await this.withdrawRequest(order.approval, order.what);
  }

  /** The same for a request that may have been made in another window. */
  async withdrawRequest(approval: string, what: string): Promise<void> {
    if (await this.give(`/api/approvals/${approval}/withdraw`, {}, `${what} withdrawn`)) {
      this.keep(this.pending.filter((other) => other.approval !== approval));
    }
  }

  /** Says what became of the orders that waited for another person: the service carries them out. */
  private async look(): Promise<void> {
    if (!this.pending.length || this.busy || this.looking || this.code) return;
    this.looking = true; // an order is not kept waiting
    try {
      for (const order of this.pending) {
        const card = await api.ask<ApprovalCard>(`/api/approvals/${order.approval}`);
        if (card.state === "waiting") continue;
        this.keep(this.pending.filter((other) => other.approval !== order.approval));
        this.error = this.notice = "";
        if (card.state === "done") {
          this.notice = `${order.what}: done.`;
          this.keepLink(order.what, card.token);
        } else this.error = `${order.what}: ${card.refusal ? problemText(card.refusal) : ENDED[card.state]}.`;
      }
    } catch {
      // tried again soon
    } finally {
      this.looking = false;
    }
  }
}
