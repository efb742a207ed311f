/** A socket to the service that reconnects when it breaks, until it is ended or the person is signed out. */
import * as api from "./api";
import { Refused } from "./api";
import type { FromServer } from "./wire";

const FIRST_RETRY = 150; // ms, doubled with every attempt
const SIGNED_OUT = [4401, 4403];
const SIGNED_OUT_REASON = "signed-out";
const PING = 900; // ms
const SILENCE = 1900; // ms without any message, after which the connection counts as lost
const DEAD = 6000; // ms without any message, after which it is made anew

export class Connection {
  connected = $state(false);
  lost = $state("");

  private socket: WebSocket | null = null;
  private tries = 0;
  private ended = false;
  private heard = 0; // when the last message came
  private heartbeat: ReturnType<typeof setInterval> | undefined;

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
    clearInterval(this.heartbeat);
    this.socket?.close(1000);
  }

  private async connect(): Promise<void> {
    if (this.ended) return;
    try {
      const ticket = await api.ticket();
      const scheme = location.protocol === "https:" ? "wss" : "ws";
      const socket = new WebSocket(`${scheme}://${location.host}/ws?ticket=${encodeURIComponent(ticket)}`);
      this.socket = socket;
      this.heard = Date.now();
      clearInterval(this.heartbeat);
      this.heartbeat = setInterval(() => this.beat(socket), PING);
      let used = false; // a socket that is refused is opened, closed with a code, and says nothing
      socket.onopen = () => {
        this.connected = true;
        this.opened();
      };
      socket.onmessage = (message) => {
        if (socket !== this.socket) return; // given up, and late
        used = true;
        this.heard = Date.now();
        this.connected = true;
        this.tries = 0;
        this.received(JSON.parse(String(message.data)) as FromServer);
      };
      socket.onclose = (closed) => {
        if (socket !== this.socket) return;
        this.connected = false;
        // A ticket may have expired on the way: whether the session is over, the request for the next one says.
        if (SIGNED_OUT.includes(closed.code) && used) this.lost = closed.reason || SIGNED_OUT_REASON;
        else this.reconnect();
      };
    } catch (error) {
      if (error instanceof Refused && error.status === 401) this.lost = SIGNED_OUT_REASON;
      else this.reconnect();
    }
  }

  /** Asks whether the service is still there. A connection may be dead for minutes before the browser notices. */
  private beat(socket: WebSocket): void {
    if (socket !== this.socket || socket.readyState > WebSocket.OPEN) return;
    const silent = Date.now() - this.heard;
    if (silent >= SILENCE) this.connected = false;
    if (silent < DEAD) return this.send('{"type":"ping"}');
    this.socket = null;
    socket.close();
    this.reconnect();
  }

  private reconnect(): void {
    clearInterval(this.heartbeat);
    if (this.ended || this.lost) return;
    this.tries += 1;
    setTimeout(() => void this.connect(), Math.min(this.longest, FIRST_RETRY * 2 ** this.tries));
  }
}
