/** A socket to the service that reconnects when it breaks, until it is ended or the person is signed out. */
import * as api from "./api";
import { Refused } from "./api";
import type { FromServer } from "./wire";

const FIRST_RETRY = 150; // ms, doubled with every attempt
const SIGNED_OUT = [4401, 4403];

export class Connection {
  connected = $state(false);
  lost = $state("");

  private socket: WebSocket | null = null;
  private tries = 0;
  private ended = false;

  constructor(
    private readonly opened: () => void,
    private readonly received: (message: FromServer) => void,
    private readonly longest: number, // ms between two attempts
  ) {
    void this.connect();
  }

  /** Sends a message; does nothing while the connection is lost. */
  send(text: string): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  end(): void {
    this.ended = true;
    this.socket?.close(1000);
  }

  private async connect(): Promise<void> {
    if (this.ended) return;
    try {
      const ticket = await api.ticket();
      const scheme = location.protocol === "https:" ? "wss" : "ws";
      const socket = new WebSocket(`${scheme}://${location.host}/ws?ticket=${encodeURIComponent(ticket)}`);
      this.socket = socket;
      let used = false; // a socket that is refused is opened, closed with a code, and says nothing
      socket.onopen = () => {
        this.connected = true;
        this.opened();
      };
      socket.onmessage = (message) => {
        used = true;
        this.tries = 0;
        this.received(JSON.parse(String(message.data)) as FromServer);
      };
      socket.onclose = (closed) => {
        this.connected = false;
        // A ticket may have expired on the way: whether the session is over, the request for the next one says.
        if (SIGNED_OUT.includes(closed.code) && used) this.lost = closed.reason || "signed out";
        else this.reconnect();
      };
    } catch (error) {
      if (error instanceof Refused && error.status === 401) this.lost = "signed out";
      else this.reconnect();
    }
  }

  private reconnect(): void {
    if (this.ended || this.lost) return;
    this.tries += 1;
    setTimeout(() => void this.connect(), Math.min(this.longest, FIRST_RETRY * 2 ** this.tries));
  }
}
