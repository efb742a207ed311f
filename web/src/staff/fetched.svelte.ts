/** What a page reads from the service, and where that stands: loading, there, refused or unreachable. */
import * as api from "../lib/api";
import { errorSentence } from "../lib/errorText";

export class Fetched<T> {
  value = $state.raw<T | null>(null);
  problem = $state("");
  offline = $state(false); // the service could not be reached: what is shown may be old
  loading = $state(false);
  private path = "";

  /** What is read may stay in view until the next path is answered, as while somebody types a name to find. */
  constructor(private readonly options: { staysInView?: boolean } = {}) {}

  /** Reads it; a later call replaces an earlier one that is not answered yet. */
  async load(path: string): Promise<void> {
    if (path !== this.path && !this.options.staysInView) this.value = null;
    this.path = path;
    this.loading = true;
    try {
      const answer = await api.ask<T>(path);
      if (path !== this.path) return;
      this.value = answer;
      this.problem = "";
      this.offline = false;
    } catch (error) {
      if (path !== this.path) return;
      this.offline = !(error instanceof api.Refused);
      this.problem = this.offline
        ? "The service cannot be reached. What you see may be out of date."
        : errorSentence(error);
    } finally {
      if (path === this.path) this.loading = false;
    }
  }

  /** Reads the same again. */
  again(): Promise<void> {
    return this.load(this.path);
  }
}
