import { describe, expect, test } from 'vitest';
import { ServerClock } from '../../src/net/server_clock';

/** A device whose clock began at another moment, on a line that takes its time both ways. */
function hear(clock: ServerClock, began: number, there: number, back: number, at: number, id = `${at}`): void {
  clock.pingSent(id, at - began);
  clock.pongReceived(id, at + there, at + there + back - began);
}

describe("the server's clock", () => {
  test('is unknown before an answer', () => {
    expect(new ServerClock().local(1000)).toBe(null);
  });

  test.each([0, 5000, -3 * 3600_000])('is estimated although the device’s clock started %d ms apart', (began) => {
    const clock = new ServerClock();
    hear(clock, began, 20, 20, 100_000);
    expect(clock.local(200_000)).toBe(200_000 - began);
  });

  test('is taken from the answer with the shortest round trip', () => {
    const clock = new ServerClock();
    hear(clock, 0, 400, 10, 1000);
    hear(clock, 0, 12, 10, 2000);
    hear(clock, 0, 10, 300, 3000);
    expect(Math.abs(clock.local(5000)! - 5000)).toBeLessThanOrEqual(1);
  });

  test('two devices agree within half their round trips', () => {
    const [phone, screen] = [new ServerClock(), new ServerClock()];
    hear(phone, 7777, 90, 10, 1000);
    hear(screen, -4321, 5, 5, 1000);
    const moments = [phone.local(9000)! + 7777, screen.local(9000)! - 4321];
    expect(Math.abs(moments[0]! - moments[1]!)).toBeLessThanOrEqual(50);
  });

  test('is estimated again after the device has slept, which stops its clock', () => {
    const clock = new ServerClock();
    hear(clock, 0, 5, 5, 1000);
    hear(clock, 20_000, 40, 40, 31_000);
    expect(clock.local(40_000)).toBe(20_000);
  });

  test('ignores an unrequested answer', () => {
    const clock = new ServerClock();
    clock.pongReceived('x', 1, 1);
    expect(clock.local(1)).toBe(null);
    hear(clock, 0, 1, 1, 10);
    clock.forget();
    expect(clock.local(1)).toBe(null);
  });
});
