import { DeliveryError, type MessageChain, type SendProgress, textOfChain } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { digestOf } from './digest.ts';
import { GrowingMessage, type GrowingMessageOptions, type MessagePart } from './growing-message.ts';

const plain = (text: string): MessageChain => [{ type: 'Plain', text }];
/** Texts in the chat by message, in order; a star marks those that look unfinished. */
let chat: Map<string, string>;
let handle: unknown;
let refusal: DeliveryError | null;
let calls: number;

beforeEach(() => {
  vi.useFakeTimers();
  chat = new Map();
  handle = null;
  refusal = null;
  calls = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

function partOf(text: string, isFinal: boolean): MessagePart {
  const shown = isFinal ? text : `${text}*`;
  const call = () => {
    calls += 1;
    if (refusal !== null) throw refusal;
  };
  return {
    digest: digestOf(shown),
    send: async () => {
      call();
      const id = `m${chat.size + 1}`;
      chat.set(id, shown);
      return id;
    },
    edit: async (id) => {
      call();
      if (!chat.has(String(id))) return false;
      chat.set(String(id), shown);
      return true;
    },
  };
}

function message(over: Partial<GrowingMessageOptions> = {}, isInterrupted = false): GrowingMessage {
  const progress: SendProgress = {
    handle,
    isInterrupted,
    store: async (stored) => {
      handle = JSON.parse(JSON.stringify(stored));
    },
  };
  return new GrowingMessage({
    progress,
    // Ten characters fit into a message.
    parts: async (chain, isFinal) => (textOfChain(chain).match(/.{1,10}/gs) ?? []).map((text) => partOf(text, isFinal)),
    remove: async (id) => void chat.delete(String(id)),
    failureOf: (error) => error as DeliveryError,
    idOf: (first) => String(first),
    ...over,
  });
}
const limited = () => ({
  ms: 60_000,
  close: async (id: string | number) => {
    chat.set(String(id), (chat.get(String(id)) ?? '').replace('*', ''));
  },
});
const texts = () => [...chat.values()];

describe('a message that grows', () => {
  it('is sent once, edited, and continued in others', async () => {
    const growing = message();
    await growing.update(plain('one'));
    await growing.update(plain('one two'));
    expect(texts()).toEqual(['one two*']);
    expect(await growing.finish(plain('one two three four'))).toEqual({ platform_message_id: 'm1' });
    expect(texts()).toEqual(['one two th', 'ree four']);
  });

  it('takes fewer messages when it becomes shorter', async () => {
    const growing = message();
    await growing.update(plain('one two three four'));
    await growing.finish(plain('one'));
    expect(texts()).toEqual(['one']);
  });

  it('is continued by another process, and not doubled where it may have been sent', async () => {
    await message().update(plain('one two three'));
    await message().finish(plain('one two four'));
    expect(texts()).toEqual(['one two fo', 'ur']);
    const unknown = expect.objectContaining({ kind: 'unknown', reason: 'interrupted' });
    await expect(message({}, true).finish(plain('one two three and four'))).rejects.toEqual(unknown);
  });

  it('is not updated again after a refusal, and finished all the same', async () => {
    const growing = message();
    await growing.update(plain('one'));
    refusal = new DeliveryError('refused', 'platform_failed', 'No');
    await expect(growing.update(plain('one two'))).rejects.toBe(refusal);
    const before = calls;
    await growing.update(plain('one two three'));
    expect(calls).toBe(before);
    refusal = null;
    await growing.finish(plain('one two'));
    expect(texts()).toEqual(['one two']);
  });

  it('has content', async () => {
    await expect(message().finish([])).rejects.toMatchObject({ reason: 'unsupported_element' });
  });
});

describe('a message that can be changed for a limited time', () => {
  it('is closed also while no text comes, and the rest follows in another one', async () => {
    const growing = message({ duration: limited() });
    await growing.update(plain('one '));
    expect(texts()).toEqual(['one *']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(texts()).toEqual(['one ']);
    await growing.update(plain('one two'));
    await growing.finish(plain('one two three'));
    expect(texts()).toEqual(['one ', 'two three']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is closed as often as its text takes that long', async () => {
    const growing = message({ duration: limited() });
    for (const text of ['a', 'ab', 'abc']) {
      await growing.update(plain(text));
      await vi.advanceTimersByTimeAsync(60_000);
    }
    await growing.finish(plain('abcd'));
    expect(texts()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('ends where it was closed when nothing follows', async () => {
    const growing = message({ duration: limited() });
    await growing.update(plain('one'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await growing.finish(plain('one'))).toEqual({ platform_message_id: 'm1' });
    expect(texts()).toEqual(['one']);
  });

  it.each([
    ['the rest', 'one more', ' more'],
    ['the whole text when that does not continue it', 'other', 'other'],
  ])('is followed after a restart by %s', async (_, text, following) => {
    const growing = message({ duration: limited() });
    await growing.update(plain('one'));
    await vi.advanceTimersByTimeAsync(60_000);
    await message({ duration: limited() }).finish(plain(text));
    expect(texts()).toEqual(['one', following]);
  });

  it('is closed when the answer is abandoned', async () => {
    const growing = message({ duration: limited() });
    await growing.update(plain('one'));
    await growing.abandon();
    expect(texts()).toEqual(['one']);
    expect(vi.getTimerCount()).toBe(0);
  });
});
