/** What staff order: each order once, with a code where one is asked for and a second person where two are needed. */
import * as api from "../lib/api";
import { errorSentence } from "../lib/errorText";
import { Refused } from "../lib/api";

interface Order {
  path: string;
  body: object;
  key: string;
  what: string;
}

export interface Pending extends Order {
  approval: string;
}

export interface Approval {
  id: string;
  asked_by: string;
  asked: string;
  needs: string;
  expires: string;
  what: { operation: string; command: Record<string, unknown> };
}

const LOOK = 1500; // ms between two looks whether the second person has approved

const PLACE = "upcard-pending ";

function kept(person: string): Pending[] {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE + person) ?? "[]") as Pending[];
  } catch {
    return [];
  }
}

export class Orders {
  notice = $state("");
  wrong = $state("");
  busy = $state(false);
  may = $state.raw<Record<string, string>>({});
  pending = $state.raw<Pending[]>([]);
  code = $state.raw<((shown: boolean) => void) | null>(null); // somebody waits for a code

  private clock: ReturnType<typeof setInterval>;

  /** What waits for a second person outlives a reload of the page, in this window and for this person. */
  constructor(private readonly person: string) {
    this.pending = kept(person);
    this.clock = setInterval(() => void this.look(), LOOK);
    void api.ask<Record<string, string>>("/api/me/may").then(
      (may) => (this.may = may),
      (wrong: unknown) => (this.wrong = errorSentence(wrong)),
    );
  }

  end(): void {
    clearInterval(this.clock);
  }

  can(operation: string): boolean {
    return operation in this.may;
  }

  at(table: string, operation: string, body: object, what: string): Promise<boolean> {
    return this.give(`/api/tables/${encodeURIComponent(table)}/${operation}`, body, what);
  }

  house(operation: string, body: object, what: string): Promise<boolean> {
    return this.give(`/api/house/${operation}`, body, what);
  }

  /** Gives an order; whether it was carried out at once. Refusals are shown in their own words. */
  async give(path: string, body: object, what: string): Promise<boolean> {
    this.busy = true;
    this.notice = this.wrong = "";
    try {
      return await this.attempt({ path, body, key: crypto.randomUUID(), what });
    } finally {
      this.busy = false;
    }
  }

  private async attempt(order: Order, approval = ""): Promise<boolean> {
    const headers = { "Idempotency-Key": order.key, ...(approval ? { "X-Approval": approval } : {}) };
    try {
      const told = await api.ask<{ approval?: string }>(order.path, order.body, headers);
      if (told.approval && !approval) {
        this.keep([...this.pending, { ...order, approval: told.approval }]);
        this.notice = `${order.what}: waiting for the approval of another person.`;
        return false;
      }
      this.notice = `${order.what}: done.`;
      return true;
    } catch (wrong) {
      if (wrong instanceof Refused && wrong.reason === "STEP_UP_NEEDED") {
        if (await this.shown()) return this.attempt(order, approval);
        this.wrong = `${order.what}: not done, because no code was entered.`;
      } else this.wrong = errorSentence(wrong);
      return false;
    }
  }

  private keep(pending: Pending[]): void {
    this.pending = pending;
    try {
      sessionStorage.setItem(PLACE + this.person, JSON.stringify(pending));
    } catch {
      // a browser that keeps nothing forgets them with the page
    }
  }

  private shown(): Promise<boolean> {
    return new Promise((done) => {
      this.code = (shown) => {
        this.code = null;
        done(shown);
      };
    });
  }

  /** What another person has approved meanwhile is carried out, under the same id. */
  private async look(): Promise<void> {
    if (!this.pending.length || this.busy || this.code) return;
    this.busy = true;
    try {
      const waiting = (await api.ask<Approval[]>("/api/approvals")).map((approval) => approval.id);
      for (const order of this.pending.filter((pending) => !waiting.includes(pending.approval))) {
        this.keep(this.pending.filter((other) => other !== order));
        this.wrong = "";
        await this.attempt(order, order.approval);
      }
    } catch {
      // asked again soon
    } finally {
      this.busy = false;
    }
  }
}
