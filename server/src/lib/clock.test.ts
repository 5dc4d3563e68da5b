import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const start = Date.parse('2026-01-01T00:00:00.000Z');

describe('the clock', () => {
  let clock: typeof import('./clock.ts');
  beforeEach(async () => {
    vi.useFakeTimers({ now: start });
    vi.resetModules();
    clock = await import('./clock.ts');
  });
  afterEach(() => vi.useRealTimers());

  /** The database was asked, and answered after half the round trip, milliseconds. */
  const measure = (ahead: number, roundTrip: number) => {
    const answered = Date.now();
    clock.followDatabase({ database: answered - roundTrip / 2 + ahead, sent: answered - roundTrip, answered });
  };

  it('is that of the machine until the database was asked', () => {
    expect(clock.present()).toBe(start);
    expect(clock.now()).toBe('2026-01-01T00:00:00.000Z');
    expect(clock.secondsFromNow(-1)).toBe('2025-12-31T23:59:59.000Z');
    measure(600_000, 0);
    clock.followMachine();
    expect(clock.present()).toBe(start);
  });

  it.each([600_000, -600_000])('follows a database whose clock is %i ms ahead', (ahead) => {
    measure(ahead, 4);
    expect(clock.present()).toBe(start + ahead);
    expect(Date.parse(clock.now())).toBe(start + ahead);
    expect(Date.parse(clock.secondsFromNow(60))).toBe(start + ahead + 60_000);
  });

  it('believes a quick answer more than a slow one', () => {
    measure(600_000, 4);
    const sent = Date.now() - 1500;
    // All of the round trip was the way back.
    clock.followDatabase({ database: sent + 600_000, sent, answered: Date.now() });
    expect(clock.present()).toBe(start + 600_000);
    clock.followDatabase({ database: Date.now() + 600_040, sent: Date.now(), answered: Date.now() });
    expect(clock.present()).toBe(start + 600_040);
  });

  it('knows the bounds of what a slow answer told', () => {
    measure(600_000, 1500);
    expect(Math.abs(clock.present() - start - 600_000)).toBeLessThanOrEqual(751);
    measure(600_000, 2);
    expect(Math.abs(clock.present() - start - 600_000)).toBeLessThanOrEqual(2);
  });

  it('leaves out an answer during which the clock of the machine was set back', () => {
    const sent = Date.now();
    clock.followDatabase({ database: sent + 900, sent, answered: sent - 5000 });
    expect(clock.present()).toBe(start);
  });

  it('stands still where it would go back a little, and then goes on', () => {
    measure(600_500, 0);
    const before = clock.present();
    measure(600_000, 0);
    expect(clock.present()).toBe(before);
    vi.advanceTimersByTime(400);
    expect(clock.present()).toBe(before);
    vi.advanceTimersByTime(200);
    expect(clock.present()).toBe(start + 600_600);
  });

  it('goes back where it was far ahead, while uuids stay in order', async () => {
    const { newUuid } = await import('./uuid.ts');
    measure(600_000, 0);
    const uuids = [newUuid()];
    expect(clock.present()).toBe(start + 600_000);
    measure(0, 0);
    expect(clock.present()).toBe(start);
    for (let count = 0; count < 5000; count += 1) uuids.push(newUuid());
    expect(uuids.toSorted()).toEqual(uuids);
  });
});
