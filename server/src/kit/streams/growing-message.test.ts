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

describe('a message that can be found again', () => {
  let marks: Map<string, string>;
  let searches: string[];
  let isLost: boolean;
  beforeEach(() => {
    marks = new Map();
    searches = [];
    isLost = false;
  });
  const unknown = () => new DeliveryError('unknown', 'platform_failed', 'No response');
  /** Sends carry their mark; while `isLost`, they arrive without a response. */
  const findable = (isInterrupted = false) =>
    message(
      {
        parts: async (chain, isFinal) =>
          (textOfChain(chain).match(/.{1,10}/gs) ?? []).map((text) => {
            const part = partOf(text, isFinal);
            return {
              ...part,
              send: async (mark: string) => {
                const id = await part.send(mark);
                marks.set(mark, String(id));
                if (isLost) throw unknown();
                return id;
              },
            };
          }),
        find: async (mark) => {
          searches.push(mark);
          if (refusal !== null) throw refusal;
          return marks.get(mark) ?? null;
        },
      },
      isInterrupted,
    );

  it('is not looked for without a failure', async () => {
    const growing = findable();
    await growing.update(plain('one'));
    await growing.finish(plain('one two three'));
    expect([texts(), searches]).toEqual([['one two th', 'ree'], []]);
  });

  it('is sent once when the response is lost', async () => {
    isLost = true;
    const growing = findable();
    await growing.update(plain('one'));
    await growing.finish(plain('one two three'));
    expect(texts()).toEqual(['one two th', 'ree']);
  });

  it('is completed by another process, which knows only that it was being sent', async () => {
    await findable().update(plain('one'));
    const [[mark = '', id = ''] = []] = marks;
    handle = { shown: [], sending: [mark, 5] };
    await findable().finish(plain('again'));
    expect([...chat]).toEqual([[id, 'again']]);
  });

  it('is removed when the text no longer needs it', async () => {
    await findable().finish(plain('one two three'));
    const [first, second] = [...marks];
    handle = { shown: [[first?.[1], '']], sending: [second?.[0], 5] };
    await findable(true).finish(plain('one'));
    expect(texts()).toEqual(['one']);
  });

  it('is unknown in an interrupted send when it is not found, and sent when nothing was being sent', async () => {
    handle = { shown: [], sending: ['gone', 5] };
    await expect(findable(true).finish(plain('one'))).rejects.toMatchObject({ kind: 'unknown', reason: 'interrupted' });
    await findable().finish(plain('one two th'));
    handle = { shown: [['m1', '']], sending: null };
    await findable(true).finish(plain('one two three'));
    expect(texts()).toEqual(['one two th', 'ree']);
  });

  it('is looked for again when the platform does not respond', async () => {
    handle = { shown: [], sending: ['there', 5] };
    marks.set('there', 'm0');
    chat.set('m0', 'one*');
    refusal = new DeliveryError('not_sent', 'platform_failed', 'No connection');
    await expect(findable(true).finish(plain('one two'))).rejects.toMatchObject({ kind: 'not_sent' });
    refusal = null;
    await findable(true).finish(plain('one two'));
    expect([...chat]).toEqual([['m0', 'one two']]);
  });

  it('may be sent again after a refusal, without a look-up', async () => {
    refusal = new DeliveryError('refused', 'platform_failed', 'No');
    const growing = findable();
    await expect(growing.finish(plain('one'))).rejects.toBe(refusal);
    refusal = null;
    await growing.finish(plain('one'));
    expect([texts(), searches]).toEqual([['one'], []]);
  });
});
