import { DeliveryError, type MessageChain, type OutgoingMessage, ParleyError } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { recordingPlatform, streamsEvery } from '../../../test/stores/ledger-fixture.ts';
import { AnswerStream } from './answer-stream.ts';

const platform = recordingPlatform({ streams: streamsEvery(1000) });
const outgoing = { uuid: 'answer' } as Omit<OutgoingMessage, 'message_chain'>;
const said = (text: string): MessageChain => [{ type: 'Plain', text }];
let starts = 0;
let isHeld = false;
const failures: DeliveryError[] = [];

function streamTo(target = platform, delayMs = 0): AnswerStream {
  const { implementation, capabilities } = target;
  const adapter = implementation.create({}, {} as never);
  const begin = async () => {
    starts += 1;
    const progress = { handle: null, isInterrupted: false, store: async () => undefined };
    return (await adapter.stream?.(outgoing, progress)) ?? null;
  };
  return new AnswerStream(
    { uuid: 'bot', platform: target, config: {}, capabilities, implementation, adapter },
    {
      sessionType: 'person',
      begin,
      isHeld: () => isHeld,
      failed: (failure) => failures.push(failure),
      logger: silentLogger,
      delayMs,
    },
  );
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  platform.shown.length = 0;
  platform.refuse = () => undefined;
  starts = 0;
  isHeld = false;
  failures.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

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
  expect(calls).toBe(2);
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
