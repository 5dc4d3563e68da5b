import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RunningAnswers } from './running-answers.ts';

const message = (sequence: number, conversation_uuid = 'a', session_id = 'ada') => ({
  uuid: `${conversation_uuid}${sequence}`,
  bot_uuid: 'bot',
  session_type: 'person' as const,
  session_id,
  conversation_uuid,
  sequence,
  sender_id: 'ada',
});

/** Work that continues until it is cancelled, and then reports the reason. */
const untilCancelled = (signal: AbortSignal) =>
  new Promise<string>((resolve) => {
    const finish = () => resolve((signal.reason as { reason: string }).reason);
    if (signal.aborted) finish();
    else signal.addEventListener('abort', finish);
  });

describe('running answers', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are known while they run', async () => {
    const answers = new RunningAnswers();
    const end = Promise.withResolvers<string>();
    const run = answers.run(message(3), () => end.promise);
    expect(answers.running('a')).toEqual({ message_uuid: 'a3', sender_id: 'ada', sequence: 3 });
    expect(answers.running('b')).toBeNull();
    end.resolve('done');
    expect(await run).toBe('done');
    expect([answers.running('a'), answers.cancel('a', 'cancelled')]).toEqual([null, false]);
  });

  it('are counted together with a message of the same chat', async () => {
    const answers = new RunningAnswers();
    const end = Promise.withResolvers<void>();
    const runs = [message(1), message(1, 'b'), message(1, 'c', 'bob')].map((each) =>
      answers.run(each, () => end.promise),
    );
    const group = { ...message(1, 'd'), session_type: 'group' as const };
    expect([answers.beside(message(1)), answers.beside(message(2)), answers.beside(group)]).toEqual([1, 2, 0]);
    end.resolve();
    await Promise.all(runs);
    expect(answers.beside(message(2))).toBe(0);
  });

  it('are forgotten when they fail', async () => {
    const answers = new RunningAnswers();
    await expect(answers.run(message(1), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(answers.running('a')).toBeNull();
  });

  it('are cancelled once, each by itself', async () => {
    const answers = new RunningAnswers();
    const [first, other] = [answers.run(message(1), untilCancelled), answers.run(message(1, 'b'), untilCancelled)];
    expect([answers.cancel('a', 'cancelled'), answers.cancel('a', 'reset')]).toEqual([true, false]);
    expect(await first).toBe('cancelled');
    expect(await Promise.race([other, wait(10, 'runs on')])).toBe('runs on');
    expect(answers.cancel('b', 'reset')).toBe(true);
    expect(await other).toBe('reset');
  });

  it('are cancelled when they stand before a place', async () => {
    const answers = new RunningAnswers();
    const run = answers.run(message(4), untilCancelled);
    answers.cancelBefore('a', 4, 'cancelled');
    expect(await Promise.race([run, wait(10, 'runs on')])).toBe('runs on');
    answers.cancelBefore('a', 5, 'reset');
    expect(await run).toBe('reset');
  });

  it('are cancelled before they start', async () => {
    const answers = new RunningAnswers();
    answers.cancelBefore('a', 5, 'cancelled');
    expect(await answers.run(message(4), untilCancelled)).toBe('cancelled');
    expect(await answers.run(message(5), async (signal) => signal.aborted)).toBe(false);
    expect(await answers.run(message(4, 'b'), async (signal) => signal.aborted)).toBe(false);
  });

  it('forget cancellations eventually', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const answers = new RunningAnswers();
    answers.cancelBefore('a', 5, 'cancelled');
    vi.advanceTimersByTime(30_000);
    answers.cancelBefore('b', 5, 'cancelled');
    vi.advanceTimersByTime(30_001);
    answers.cancelBefore('c', 5, 'cancelled');
    const isCancelled = (conversation: string) =>
      answers.run(message(1, conversation), async (signal) => signal.aborted);
    expect([await isCancelled('a'), await isCancelled('b'), await isCancelled('c')]).toEqual([false, true, true]);
  });
});
