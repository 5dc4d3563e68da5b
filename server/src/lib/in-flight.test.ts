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
    const running = inFlight.run('a', () => run.promise);
    await inFlight.settled('b');
    run.resolve();
    await running;
    await inFlight.settled('a');
  });
});
