/** Estimate of the server's clock, so that no device needs a correct one. */
const OFFSET_TOLERANCE = 50; // ms by which two samples may differ beyond their round trips; a larger difference means the device has slept
const MAX_SAMPLES = 8; // of these, the one with the shortest round trip counts; its error is at most half of that

interface ClockSample {
  roundTrip: number; // ms
  offset: number; // server's clock minus performance.now()
}

export class ServerClock {
  private readonly sent = new Map<string, number>();
  private samples: ClockSample[] = [];

  /** Record the time of a ping. */
  pingSent(id: string, now = performance.now()): void {
    this.sent.set(id, now);
    while (this.sent.size > MAX_SAMPLES) this.sent.delete(this.sent.keys().next().value!);
  }

  /** Add a sample from a pong, which carries the server's time. */
  pongReceived(id: string, time: number, now = performance.now()): void {
    const sent = this.sent.get(id);
    if (sent === undefined) return;
    this.sent.delete(id);
    const roundTrip = now - sent;
    const newest = { roundTrip, offset: time - (sent + roundTrip / 2) };
    this.samples = [...this.samples.filter((one) => agree(one, newest)), newest].slice(-MAX_SAMPLES);
  }

  /** Convert a server time to performance.now(); null without samples. */
  local(time: number): number | null {
    const quickest = this.samples.toSorted((one, other) => one.roundTrip - other.roundTrip)[0];
    return quickest ? time - quickest.offset : null;
  }

  /** Drop all samples: the next connection may reach another server. */
  forget(): void {
    this.sent.clear();
    this.samples = [];
  }
}

/** Whether two samples are consistent: a device's clock stops while it sleeps. */
function agree(one: ClockSample, other: ClockSample): boolean {
  return Math.abs(one.offset - other.offset) <= (one.roundTrip + other.roundTrip) / 2 + OFFSET_TOLERANCE;
}
