import { DeliveryError, type MessageChain, type OutgoingMessage, ParleyError } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordingPlatform, streamsEvery } from '../../../test/stores/ledger-fixture.ts';
import { StreamBudget } from '../bots/stream-budget.ts';
import { AnswerStream } from './answer-stream.ts';

const platform = recordingPlatform({ streams: streamsEvery(1000) });
const outgoing = { uuid: 'answer' } as Omit<OutgoingMessage, 'message_chain'>;
const said = (text: string): MessageChain => [{ type: 'Plain', text }];
let starts = 0;
let isHeld = false;
const failures: DeliveryError[] = [];

function streamTo(target = platform, delayMs = 0, streamBudget = new StreamBudget()): AnswerStream {
  const { implementation, capabilities } = target;
  const adapter = implementation.create({}, {} as never);
  const begin = async () => {
    starts += 1;
    const progress = { handle: null, isInterrupted: false, store: async () => undefined };
    return (await adapter.stream?.(outgoing, progress)) ?? null;
  };
  return new AnswerStream(
    { uuid: 'bot', platform: target, config: {}, capabilities, implementation, adapter, streamBudget },
    {
      chat: { session_type: 'person', thread_id: '' },
      begin,
      isHeld: () => isHeld,
      failed: (failure) => failures.push(failure),
      logger: silentLogger,
      delayMs,
    },
  );
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  platform.shown.length = 0;
  platform.refuse = () => undefined;
  starts = 0;
  isHeld = false;
  failures.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);

it('updates the text at most as often as the platform allows, and always shows the end', async () => {
  const stream = streamTo();
  for (let index = 1; index <= 25; index += 1) {
    await stream.update(said('.'.repeat(index)));
    pass(100);
  }
  await stream.finish(said('done'));
  expect(platform.shown).toEqual(['+.', `+${'.'.repeat(11)}`, `+${'.'.repeat(21)}`, '=done']);
  expect(starts).toBe(1);
});

it('starts with the first text', async () => {
  const stream = streamTo();
  await stream.update(said(''));
  await stream.update([]);
  expect(stream.isStarted).toBe(false);
  await expect(stream.finish(said('done'))).rejects.toThrow('the stream was not started');
  await stream.update(said('a'));
  expect(stream.isStarted).toBe(true);
});

it('shows nothing before the delay', async () => {
  const stream = streamTo(platform, 5000);
  pass(4999);
  expect(stream.isDue).toBe(false);
  await stream.update(said('a'));
  expect(platform.shown).toEqual([]);
  pass(1);
  await stream.update(said('ab'));
  expect(platform.shown).toEqual(['+ab']);
});

it('shows nothing on a platform that cannot change messages', async () => {
  const stream = streamTo(recordingPlatform({ streams: {} }));
  await stream.update(said('a'));
  expect(stream.isStarted).toBe(false);
  expect(starts).toBe(0);
});

it('does not press on a platform that refuses', async () => {
  const stream = streamTo();
  let calls = 0;
  platform.refuse = () => {
    calls += 1;
    throw new ParleyError('quota', 'too fast');
  };
  for (let index = 0; index < 20; index += 1) {
    await stream.update(said('text'));
    pass(100);
  }
  expect(calls).toBe(1);
  expect(stream.isStarted).toBe(false);
});

it('shows nothing while sending is paused', async () => {
  const stream = streamTo();
  await stream.update(said('a'));
  isHeld = true;
  pass(2000);
  await stream.update(said('ab'));
  expect(platform.shown).toEqual(['+a']);
  isHeld = false;
  await stream.update(said('abc'));
  expect(platform.shown).toEqual(['+a', '+abc']);
});

it('stops after a message that may have arrived, and reports it', async () => {
  const stream = streamTo();
  platform.refuse = () => {
    throw new DeliveryError('unknown', 'platform_failed', 'No answer');
  };
  await stream.update(said('a'));
  platform.refuse = () => undefined;
  pass(2000);
  await stream.update(said('ab'));
  expect(platform.shown).toEqual([]);
  expect(stream.mayLeavePart).toBe(true);
  expect(failures).toMatchObject([{ kind: 'unknown' }]);
});

it('continues after an edit that may have been made', async () => {
  const stream = streamTo();
  await stream.update(said('a'));
  platform.refuse = () => {
    throw new DeliveryError('unknown', 'platform_failed', 'No answer', { isRepeatable: true });
  };
  pass(2000);
  await stream.update(said('ab'));
  platform.refuse = () => undefined;
  pass(2000);
  await stream.update(said('abc'));
  expect(platform.shown).toEqual(['+a', '+abc']);
  expect(stream.mayLeavePart).toBe(false);
});

it('does not show the same text twice', async () => {
  const stream = streamTo();
  for (const text of ['a', 'a', 'ab', 'ab']) {
    await stream.update(said(text));
    pass(1000);
  }
  expect(platform.shown).toEqual(['+a', '+ab']);
});

describe('updates of all streams of a bot', () => {
  const budgeted = recordingPlatform({
    streams: { person: { mode: 'replace', interval_ms: 0, budget: { updates: 3, period_ms: 60_000 } } },
  });
  beforeEach(() => {
    budgeted.shown.length = 0;
  });

  it('stay within their budget, while an end is never held back', async () => {
    const budget = new StreamBudget();
    const [one, two] = [streamTo(budgeted, 0, budget), streamTo(budgeted, 0, budget)];
    for (const text of ['a', 'ab', 'abc']) {
      await one.update(said(`1${text}`));
      await two.update(said(`2${text}`));
      pass(1000);
    }
    expect(budgeted.shown).toEqual(['+1a', '+2a', '+1ab']);
    await two.finish(said('2abc'));
    expect(budgeted.shown.at(-1)).toBe('=2abc');
    // After a minute, the first two do not count any more; the end does.
    pass(57_500);
    await one.update(said('1abcd'));
    pass(1);
    await one.update(said('1abcde'));
    expect(budgeted.shown.slice(4)).toEqual(['+1abcd']);
  });

  it('do not count for another bot', async () => {
    for (const text of ['a', 'b', 'c']) await streamTo(budgeted, 0, new StreamBudget()).update(said(text));
    expect(budgeted.shown).toHaveLength(3);
  });
});

it('can be ended early on any platform, whatever the adapter does', async () => {
  const failing = recordingPlatform({ streams: streamsEvery(0) });
  const { create } = failing.implementation;
  let ends: ((reason: string) => Promise<void>) | undefined;
  failing.implementation.create = (config, context) => {
    const adapter = create(config, context);
    return {
      ...adapter,
      stream: async (message) => {
        const { abandon: _, ...stream } = (await adapter.stream?.(message)) ?? {
          update: async () => {},
          finish: async () => ({}),
        };
        return ends === undefined ? stream : { ...stream, abandon: ends };
      },
    };
  };
  for (const end of [
    undefined,
    () => Promise.reject(new Error('x')),
    () => {
      throw new Error('x');
    },
  ]) {
    ends = end;
    const stream = streamTo(failing);
    await stream.update(said('a'));
    await expect(stream.abandon('cancelled')).resolves.toBeUndefined();
  }
});

it('does not wait for an adapter that does not end a stream', async () => {
  vi.useRealTimers();
  vi.useFakeTimers();
  const hanging = recordingPlatform({ streams: streamsEvery(0) });
  const { create } = hanging.implementation;
  hanging.implementation.create = (config, context) => ({
    ...create(config, context),
    stream: async () => ({
      update: async () => undefined,
      finish: async () => ({}),
      abandon: () => new Promise<void>(() => {}),
    }),
  });
  const stream = streamTo(hanging);
  await stream.update(said('a'));
  const ended = stream.abandon('expired');
  await vi.advanceTimersByTimeAsync(5000);
  await expect(ended).resolves.toBeUndefined();
});
