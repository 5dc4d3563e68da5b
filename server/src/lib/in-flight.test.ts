import { describe, expect, it } from 'vitest';
import { InFlight } from './in-flight.ts';

describe('work in flight', () => {
  it('is awaited, whatever its result, and later work is not', async () => {
    const inFlight = new InFlight();
    const first = Promise.withResolvers<string>();
    const second = Promise.withResolvers<string>();
    const later = Promise.withResolvers<string>();
    const runs = [inFlight.run('a', () => first.promise), inFlight.run('a', () => second.promise)];
    let isSettled = false;
    const settled = inFlight.settled('a').then(() => {
      isSettled = true;
    });
    void inFlight.run('a', () => later.promise);
    first.resolve('one');
    expect(await runs[0]).toBe('one');
    expect(isSettled).toBe(false);
    second.reject(new Error('two'));
    await expect(runs[1]).rejects.toThrow('two');
    await settled;
    later.resolve('');
  });

  it('does not exist under another name', async () => {
    const inFlight = new InFlight();
    const run = Promise.withResolvers<void>();
    const order: string[] = [];
    const running = inFlight.run('a', () => run.promise).then(() => order.push('a has ended'));
    const all = inFlight.settled('a').then(() => order.push('a is settled'));
    await inFlight.settled('b');
    order.push('b is settled');
    run.resolve();
    await Promise.all([running, all]);
    expect(order[0]).toBe('b is settled');
    expect(order).toHaveLength(3);
    // What has ended is not awaited.
    await inFlight.settled('a');
  });
});
