import type { SendProgress } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { ada, group } from './testing/fixtures.ts';
import { limit, plain, recordedProgress, sendingTests } from './testing/sending-tests.ts';
import { type AdapterOptions, outgoing } from './testing/start-adapter.ts';

const tests = sendingTests();

describe('an answer that is shown while it is written', () => {
  const startStreaming = async (options: AdapterOptions = {}) => {
    const { adapter } = await tests.start({ ...options, config: { 'enable-stream-reply': true, ...options.config } });
    const begin = async (chat: number, progress?: SendProgress) => {
      const { message_chain: _, ...message } = outgoing(chat, []);
      const stream = await adapter.stream?.(message, progress);
      if (stream === undefined) throw new Error('the adapter does not stream');
      return stream;
    };
    return { adapter, begin };
  };

  it('is there only when it is wanted', async () => {
    const { adapter } = await tests.start();
    expect(adapter.stream).toBeUndefined();
  });

  it('is sent once and then edited', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    await stream.update(plain('Once **up'));
    await stream.update(plain('Once **upon** a'));
    await stream.update(plain('Once **upon** a'));
    await stream.finish(plain('Once **upon** a time'));
    expect(tests.fake.messages).toMatchObject([
      {
        text: 'Once upon a time',
        entities: [{ type: 'bold', offset: 5, length: 4 }],
        earlier: ['Once **up', 'Once upon a'],
      },
    ]);
  });

  it('is not edited when nothing changed, nor when Telegram finds so', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    await stream.update(plain('The end'));
    await stream.finish(plain('The end'));
    expect(tests.fake.callsOf('editMessageText')).toEqual([]);
    const other = await begin(ada.id);
    await other.update(plain('a'));
    tests.fake.fail('editMessageText', { kind: 'lost' });
    await expect(other.finish(plain('b'))).rejects.toMatchObject({ isRepeatable: true });
    await other.finish(plain('b'));
    expect(tests.texts()).toEqual(['The end', 'b']);
    // The edit whose response was lost was retried without effect.
    expect(tests.fake.callsOf('editMessageText')).toHaveLength(2);
  });

  it('changes no faster than allowed, for each chat, and is complete in the end', async () => {
    const { begin } = await startStreaming({ timing: { personEditMs: 300, groupEditMs: 60_000 } });
    const [person, one, two] = await Promise.all([begin(ada.id), begin(group.id), begin(group.id)]);
    const begun = Date.now();
    let count = 0;
    for (; Date.now() < begun + 1000; count += 1) {
      await person.update(plain(`word ${count}`));
      await one.update(plain(`one ${count}`));
      await two.update(plain(`two ${count}`));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(count).toBeGreaterThan(10);
    const calls = tests.fake.calls.filter(({ method }) => method === 'sendMessage' || method === 'editMessageText');
    const changes = calls.filter(({ parameters }) => parameters.chat_id === ada.id).length;
    // One at the start, and one every 300 ms; a slow machine makes fewer.
    expect(changes).toBeGreaterThan(1);
    expect(changes).toBeLessThanOrEqual(Math.ceil((Date.now() - begun) / 300) + 1);
    expect(calls.filter(({ parameters }) => parameters.chat_id === group.id)).toHaveLength(1);
    await Promise.all([person.finish(plain('all')), one.finish(plain('one')), two.finish(plain('two'))]);
    expect(tests.texts().sort()).toEqual(['all', 'one', 'two']);
  });

  it('continues in further messages when it exceeds one', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    const words = Array.from({ length: 1500 }, (_, index) => `word${index}`);
    for (let end = 100; end < words.length; end += 100) await stream.update(plain(words.slice(0, end).join(' ')));
    await stream.finish(plain(words.join(' ')));
    expect(tests.fake.messages).toHaveLength(4);
    expect(tests.texts().join(' ')).toBe(words.join(' '));
  });

  it('takes back messages that the finished text does not need', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    await stream.update(plain('a'.repeat(5000)));
    expect(tests.fake.messages).toHaveLength(2);
    await stream.finish(plain('short'));
    expect(tests.texts()).toEqual(['short']);
  });

  it('can be finished after rate limits and lost edits', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    await stream.update(plain('a'));
    tests.fake.fail('editMessageText', limit(1));
    await expect(stream.update(plain('a b'))).rejects.toMatchObject({ kind: 'not_sent', reason: 'quota' });
    tests.fake.fail('editMessageText', { kind: 'lost' });
    await expect(stream.finish(plain('a b c'))).rejects.toMatchObject({ kind: 'unknown', isRepeatable: true });
    await stream.finish(plain('a b c'));
    expect(tests.texts()).toEqual(['a b c']);
  });

  it('is continued by another process, in the messages that were shown', async () => {
    const { adapter } = await tests.start({ config: { 'enable-stream-reply': true } });
    const { message_chain: _, ...message } = outgoing(ada.id, []);
    const first = recordedProgress();
    const before = await adapter.stream?.(message, first.progress);
    await before?.update(plain('Once upon'));
    expect(first.stored).toHaveLength(1);
    const second = recordedProgress(first.stored[0]);
    const after = await adapter.stream?.(message, second.progress);
    await after?.update(plain('Some day'));
    await after?.finish(plain('Some day, far away'));
    expect(tests.texts()).toEqual(['Some day, far away']);
  });

  it('is continued when streaming has been disabled, and by a new message when it cannot be edited', async () => {
    const { begin } = await startStreaming();
    const first = recordedProgress();
    const stream = await begin(ada.id, first.progress);
    await stream.update(plain('Once upon'));
    const { adapter } = await tests.start();
    await adapter.send(outgoing(ada.id, plain('The end')), recordedProgress(first.stored[0]).progress);
    expect(tests.texts()).toEqual(['The end']);
    tests.fake.fail('editMessageText', {
      kind: 'error',
      code: 400,
      description: "Bad Request: message can't be edited",
    });
    await adapter.send(outgoing(ada.id, plain('The very end')), recordedProgress(first.stored[0]).progress);
    expect(tests.texts()).toEqual(['The very end']);
    expect(tests.fake.messages[0]?.message_id).not.toBe(first.stored[0]);
  });

  it.each([
    ['text', 'garbage'],
    ['a list', [1]],
    ['other fields', { shown: [['x', 1], null, [{}]] }],
  ])('starts a new message for an invalid handle: %s', async (_, handle) => {
    const { adapter } = await tests.start();
    await adapter.send(outgoing(ada.id, plain('Hi')), recordedProgress(handle).progress);
    expect(tests.texts()).toEqual(['Hi']);
  });

  it('whose start may be lost is sent completely, and only once more', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    tests.fake.fail('sendMessage', { kind: 'lost' });
    await expect(stream.update(plain('a'))).rejects.toMatchObject({ reason: 'platform_failed' });
    await stream.update(plain('a b'));
    expect(tests.texts()).toEqual(['a']);
    await stream.finish(plain('a b c'));
    expect(tests.texts()).toEqual(['a', 'a b c']);
  });

  it('that was deleted is sent again', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    await stream.update(plain('a'));
    tests.fake.messages.pop();
    await stream.finish(plain('a b'));
    expect(tests.texts()).toEqual(['a b']);
  });

  it('may end with files, and answer a message', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    const quote = { type: 'Quote' as const, id: 5, origin: [] };
    await stream.update([quote, ...plain('Look')]);
    await stream.finish([quote, ...plain('Look:'), { type: 'Image', url: 'https://x.org/p.png' }, ...plain('Nice')]);
    expect(tests.fake.messages).toMatchObject([
      { text: 'Look:', reply_to: 5 },
      { media: { kind: 'photo', source: 'https://x.org/p.png' } },
      { text: 'Nice' },
    ]);
    expect(tests.fake.messages.slice(1).map(({ reply_to }) => reply_to)).toEqual([undefined, undefined]);
  });

  it('reports a failure', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    await stream.update(plain('a'));
    tests.fake.block(ada.id);
    await expect(stream.update(plain('a b'))).rejects.toMatchObject({ reason: 'blocked' });
    await expect(stream.finish(plain('a b c'))).rejects.toMatchObject({ reason: 'blocked' });
    const empty = await begin(group.id);
    await expect(empty.finish(plain(' '))).rejects.toMatchObject({ reason: 'unsupported_element' });
  });
});
