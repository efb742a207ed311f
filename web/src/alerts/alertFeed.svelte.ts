/** The alerts of the house, asked for again and again while a console is open. */
import * as api from "../lib/api";
import { isMuted, playAlert, setMuted } from "./alertSound";
import { URGENCY, type Alert, type Urgency } from "./alertText";

const LOOK = 2000; // ms between two questions
const REMIND = 20_000; // ms, after which an alert that nobody acknowledged sounds again

const ORDER: Urgency[] = ["stop", "win", "look", "ask"];

export class AlertFeed {
  alerts = $state.raw<Alert[]>([]);
  muted = $state(isMuted());

  private known: readonly string[] = [];
  private soundedAt = 0;
  private clock: ReturnType<typeof setInterval>;

  constructor(private readonly may: () => boolean) {
    this.clock = setInterval(() => void this.look(), LOOK);
    void this.look();
  }

  end(): void {
    clearInterval(this.clock);
  }

  get open(): Alert[] {
    return this.alerts.filter((alert) => !alert.acknowledged_by);
  }

  get acknowledged(): Alert[] {
    return this.alerts.filter((alert) => alert.acknowledged_by);
  }

  get approvals(): number {
    return this.alerts.filter((alert) => alert.kind === "approval-waiting").length;
  }

  mute(muted: boolean): void {
    this.muted = muted;
    setMuted(muted);
  }

  /** Asks for the alerts; a new one sounds at once, one that nobody looks after sounds again. */
  async look(): Promise<void> {
    if (!this.may()) return;
    try {
      this.alerts = await api.ask<Alert[]>("/api/alerts");
    } catch {
      return; // the head of the console says that the service cannot be reached
    }
    const open = this.open;
    const fresh = open.filter((alert) => !this.known.includes(alert.id));
    this.known = this.alerts.map((alert) => alert.id);
    const remind = Date.now() - this.soundedAt > REMIND;
    const loud = fresh.length ? fresh : remind ? open.filter((alert) => URGENCY[alert.kind] !== "ask") : [];
    const urgency = ORDER.find((candidate) => loud.some((alert) => URGENCY[alert.kind] === candidate));
    if (!urgency || this.muted) return;
    this.soundedAt = Date.now();
    playAlert(urgency);
  }
}
