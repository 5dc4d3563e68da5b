import { describe, expect, it } from 'vitest';
import { inTime, untilAborted } from './waiting.ts';

const never = () => new Promise<string>(() => undefined);

describe('waiting until aborted', () => {
  it('ends as the promise does', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve('value'), signal)).toBe('value');
    await expect(untilAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
  });

  it('ends with the reason of the signal, before or while it waits, whatever the promise does later', async () => {
    const controller = new AbortController();
    const late = Promise.withResolvers<string>();
    const waiting = untilAborted(late.promise, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    late.reject(new Error('ignored'));
    await expect(untilAborted(Promise.resolve('value'), controller.signal)).rejects.toThrow('enough');
    await expect(untilAborted(Promise.reject(new Error('ignored')), controller.signal)).rejects.toThrow('enough');
  });
});

describe('waiting for a time', () => {
  it('ends as the promise does', async () => {
    expect(await inTime(Promise.resolve('value'), 60_000, () => 'late')).toBe('value');
    await expect(inTime(Promise.reject(new Error('failed')), 60_000, () => 'late')).rejects.toThrow('failed');
  });

  it('ends with the fallback after the timeout, whatever the promise does later', async () => {
    const late = Promise.withResolvers<string>();
    expect(await inTime(late.promise, 1, () => 'late')).toBe('late');
    late.reject(new Error('ignored'));
    const refuse = () => {
      throw new Error('too late');
    };
    await expect(inTime(never(), 1, refuse)).rejects.toThrow('too late');
  });
});
