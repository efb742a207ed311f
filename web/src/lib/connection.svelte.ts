/** A line to the service: a socket that is made anew when it breaks, until it is ended or nobody is signed in any more. */
import * as api from "./api";
import { Refused } from "./api";
import type { FromServer } from "./wire";

const AGAIN = 150; // ms, doubled with every try
const SIGNED_OUT = [4401, 4403];

export class Connection {
  connected = $state(false);
  lost = $state("");

  private socket: WebSocket | null = null;
  private tries = 0;
  private ended = false;

  constructor(
    private readonly opened: () => void,
    private readonly heard: (message: FromServer) => void,
    private readonly longest: number, // ms between two tries
  ) {
    void this.connect();
  }

  /** Says something, where there is somebody to hear it. */
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
      socket.onopen = () => {
        this.connected = true;
        this.tries = 0;
        this.opened();
      };
      socket.onmessage = (message) => this.heard(JSON.parse(String(message.data)) as FromServer);
      socket.onclose = (closed) => {
        this.connected = false;
        if (SIGNED_OUT.includes(closed.code)) this.lost = closed.reason || "signed out";
        else this.again();
      };
    } catch (wrong) {
      if (wrong instanceof Refused && wrong.status === 401) this.lost = "signed out";
      else this.again();
    }
  }

  private again(): void {
    if (this.ended || this.lost) return;
    this.tries += 1;
    setTimeout(() => void this.connect(), Math.min(this.longest, AGAIN * 2 ** this.tries));
  }
}
