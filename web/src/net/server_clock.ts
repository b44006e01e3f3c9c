/** Estimate of the server's clock, so that no device needs a correct one. */
const SLACK = 50; // ms that two answers may be apart beyond their trips; if it is more, the device has slept
const KEPT = 8; // answers; of these the quickest is believed, which is off by half its trip at most

interface Answered {
  trip: number; // ms
  ahead: number; // how much the server's clock shows more than performance.now()
}

export class ServerClock {
  private readonly sent = new Map<string, number>();
  private answers: Answered[] = [];

  /** Note that a ping goes out. */
  asked(id: string, now = performance.now()): void {
    this.sent.set(id, now);
    while (this.sent.size > KEPT) this.sent.delete(this.sent.keys().next().value!);
  }

  /** Hear a pong with the time it was sent at. */
  answered(id: string, time: number, now = performance.now()): void {
    const sent = this.sent.get(id);
    if (sent === undefined) return;
    this.sent.delete(id);
    const trip = now - sent;
    const newest = { trip, ahead: time - (sent + trip / 2) };
    this.answers = [...this.answers.filter((one) => agree(one, newest)), newest].slice(-KEPT);
  }

  /** When a moment of the server's clock comes here, by performance.now(); null if that is not known yet. */
  local(time: number): number | null {
    const quickest = this.answers.toSorted((one, other) => one.trip - other.trip)[0];
    return quickest ? time - quickest.ahead : null;
  }

  /** Forget all of it: another server may answer now. */
  forget(): void {
    this.sent.clear();
    this.answers = [];
  }
}

/** Whether two answers can be about the same two clocks: that of a device stands still while it sleeps. */
function agree(one: Answered, other: Answered): boolean {
  return Math.abs(one.ahead - other.ahead) <= (one.trip + other.trip) / 2 + SLACK;
}
