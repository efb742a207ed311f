/** Commands on their way to a table: each is sent again after a lost connection, until it is answered. */
import { newId } from "../lib/newId";
import { Refused } from "../lib/api";

export type Command = Record<string, unknown>;
type Unanswered = { text: string; done: (number: number) => void; failed: (error: Refused) => void };

export class CommandSender {
  private unanswered = new Map<string, Unanswered>();

  constructor(
    private readonly table: string,
    private readonly transmit: (text: string) => void,
  ) {}

  /** Resolves with the number of the command's record, or rejects with the refusal. */
  send(command: Command): Promise<number> {
    const id = newId();
    const text = JSON.stringify({ type: "command", id, command: { table: this.table, ...command } });
    return new Promise((done, failed) => {
      this.unanswered.set(id, { text, done, failed });
      this.transmit(text);
    });
  }

  /** After a reconnection. The service carries a command out once, whatever happens: its id is the same. */
  resend(): void {
    for (const { text } of this.unanswered.values()) this.transmit(text);
  }

  answered(id: string, number: number): void {
    this.unanswered.get(id)?.done(number);
    this.unanswered.delete(id);
  }

  refused(id: string, error: Refused): void {
    this.unanswered.get(id)?.failed(error);
    this.unanswered.delete(id);
  }
}
