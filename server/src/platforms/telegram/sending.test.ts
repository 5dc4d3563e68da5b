import type { MessageChain, PlatformAdapter, SendProgress } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeFault, type FakeTelegram, startFakeTelegram } from './testing/fake-telegram.ts';
import { ada, forum, group } from './testing/fixtures.ts';
import { type AdapterOptions, createAdapter, outgoing } from './testing/start-adapter.ts';

let fake: FakeTelegram;
const adapters: PlatformAdapter[] = [];
beforeEach(async () => {
  fake = await startFakeTelegram();
  for (const chat of [ada, group, forum]) fake.addChat(chat.id);
});
afterEach(async () => {
  await Promise.all(adapters.splice(0).map((adapter) => adapter.stop()));
  await fake.close();
});

async function start(options: AdapterOptions = {}) {
  const created = createAdapter(fake, options);
  adapters.push(created.adapter);
  await created.adapter.start();
  return created;
}
const plain = (text: string): MessageChain => [{ type: 'Plain', text }];
const texts = () => fake.messages.map(({ text }) => text);
const limit = (retry_after?: unknown): FakeFault => ({
  kind: 'error',
  code: 429,
  description: 'Too Many Requests',
  ...(retry_after === undefined ? {} : { parameters: { retry_after: retry_after as number } }),
});
/** Records what is stored of a message, and can hand it to another attempt. */
function recordedProgress(handle: unknown = null, isInterrupted = false) {
  const stored: unknown[] = [];
  const progress = {
    handle,
    isInterrupted,
    // As the service does: the handle is JSON by the time it comes back.
    store: async (next: unknown) => void stored.push(JSON.parse(JSON.stringify(next))),
  };
  return { stored, progress };
}

describe('a message', () => {
  it('reaches a person, a group and a topic', async () => {
    const { adapter } = await start();
    await adapter.send(outgoing(ada.id, plain('Hello *you*')));
    await adapter.send(
      outgoing(group.id, [
        { type: 'Plain', text: 'Hi ' },
        { type: 'At', target: '1002', display: 'Bob' },
      ]),
    );
    await adapter.send(outgoing(forum.id, plain('Here'), { thread_id: '77' }));
    expect(fake.messages).toMatchObject([
      { chat_id: 1001, text: 'Hello you', entities: [{ type: 'italic', offset: 6, length: 3 }] },
      {
        chat_id: -4001,
        text: 'Hi Bob',
        entities: [{ type: 'text_mention', offset: 3, length: 3, user: { id: 1002 } }],
      },
      { chat_id: forum.id, text: 'Here', message_thread_id: 77 },
    ]);
    expect(fake.messages[0]).not.toHaveProperty('message_thread_id');
  });

  it('goes to a chat that is named', async () => {
    fake.addChat('@news' as never);
    const { adapter } = await start();
    await adapter.send(outgoing('@news', plain('Hello')));
    expect(fake.messages).toMatchObject([{ chat_id: '@news' }]);
  });

  it('is plain text when Markdown is not wanted', async () => {
    const { adapter } = await start({ config: { markdown_card: false } });
    await adapter.send(outgoing(ada.id, plain('# a *b*')));
    expect(fake.messages).toMatchObject([{ text: '# a *b*', entities: [] }]);
  });

  it('loses its formatting rather than its words when Telegram does not take it', async () => {
    const { adapter } = await start();
    fake.fail('sendMessage', { kind: 'error', code: 400, description: "Bad Request: can't parse entities" });
    await adapter.send(outgoing(ada.id, plain('**a**')));
    expect(fake.messages).toMatchObject([{ text: 'a', entities: [] }]);
    fake.fail('sendMessage', { kind: 'error', code: 400, description: 'Bad Request: chat not found' });
    await expect(adapter.send(outgoing(ada.id, plain('**a**')))).rejects.toMatchObject({ reason: 'unknown_target' });
    expect(fake.callsOf('sendMessage')).toHaveLength(3);
  });

  it('that is too long is several, the first of which answers', async () => {
    const { adapter } = await start();
    const paragraphs = Array.from({ length: 30 }, (_, index) => `**${index}** ${'word '.repeat(80).trim()}`);
    await adapter.send(outgoing(ada.id, [{ type: 'Quote', id: 5, origin: [] }, ...plain(paragraphs.join('\n\n'))]));
    expect(fake.messages.map(({ reply_to }) => reply_to)).toEqual([5, undefined, undefined]);
    expect(texts().join('\n\n')).toBe(paragraphs.join('\n\n').replaceAll('**', ''));
    expect(fake.callsOf('sendMessage')[0]?.parameters.reply_parameters).toEqual({
      message_id: 5,
      allow_sending_without_reply: true,
    });
    const bold = fake.messages.flatMap(({ text = '', entities }) =>
      entities.map(({ offset, length }) => text.slice(offset, offset + length)),
    );
    expect(bold).toEqual(paragraphs.map((_, index) => String(index)));
  });

  it('without anything to show is refused', async () => {
    const { adapter } = await start();
    for (const chain of [plain(' \n'), [{ type: 'Source' as const, id: 1, timestamp: 1 }]]) {
      await expect(adapter.send(outgoing(ada.id, chain))).rejects.toMatchObject({ reason: 'unsupported_element' });
    }
  });

  it('finds a group that has become another', async () => {
    const { adapter } = await start();
    fake.addChat(-1009);
    fake.fail('sendMessage', {
      kind: 'error',
      code: 400,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: -1009 },
    });
    await adapter.send(outgoing(group.id, plain('Hi')));
    expect(fake.messages).toMatchObject([{ chat_id: -1009, text: 'Hi' }]);
  });
});

describe('files', () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex');

  it('are uploaded from their content or from what we keep, or fetched by Telegram', async () => {
    const { adapter, context } = await start();
    const kept = await context.storeMedia('song "1".ogg', new Blob(['a song']).stream());
    await adapter.send(
      outgoing(ada.id, [
        { type: 'Plain', text: 'Look:' },
        { type: 'Image', base64: `data:image/png;base64,${png.toString('base64')}` },
        { type: 'Voice', path: kept.path, length: 2 },
        { type: 'File', url: 'https://example.org/a.pdf', name: 'a.pdf' },
        { type: 'Image', image_id: 'AgACAgIAAx' },
        { type: 'File', base64: Buffer.from('hello').toString('base64'), name: 'grüße.txt' },
      ]),
    );
    expect(texts()).toEqual(['Look:', undefined, undefined, undefined, undefined, undefined]);
    expect(fake.messages.slice(1).map(({ media }) => media)).toEqual([
      { kind: 'photo', source: { name: 'photo.png', content: png } },
      { kind: 'voice', source: { name: 'song _1_.ogg', content: Buffer.from('a song') }, duration: 2 },
      { kind: 'document', source: 'https://example.org/a.pdf' },
      { kind: 'photo', source: 'AgACAgIAAx' },
      { kind: 'document', source: { name: 'grüße.txt', content: Buffer.from('hello') } },
    ]);
  });

  it('are sent as files when they are no photo or voice message to Telegram', async () => {
    const { adapter } = await start();
    fake.fail('sendPhoto', { kind: 'error', code: 400, description: 'Bad Request: PHOTO_INVALID_DIMENSIONS' });
    fake.fail('sendVoice', { kind: 'error', code: 400, description: 'Bad Request: VOICE_MESSAGES_FORBIDDEN' });
    const base64 = png.toString('base64');
    await adapter.send(
      outgoing(ada.id, [
        { type: 'Image', base64 },
        { type: 'Voice', base64 },
      ]),
    );
    expect(fake.messages.map(({ media }) => media?.kind)).toEqual(['document', 'document']);
    const huge = Buffer.alloc(10 * 1024 * 1024 + 1).toString('base64');
    await adapter.send(outgoing(ada.id, [{ type: 'Image', base64: huge }]));
    expect(fake.messages[2]?.media).toMatchObject({ kind: 'document' });
    expect(fake.callsOf('sendPhoto')).toHaveLength(1);
  });

  it('that Telegram cannot fetch are told as they are', async () => {
    const { adapter } = await start();
    const description = 'Bad Request: failed to get HTTP URL content';
    fake.fail('sendPhoto', { kind: 'error', code: 400, description });
    await expect(adapter.send(outgoing(ada.id, [{ type: 'Image', url: 'https://x.org/y' }]))).rejects.toMatchObject({
      reason: 'platform_failed',
      message: `Telegram: ${description}`,
    });
    expect(fake.messages).toEqual([]);
  });

  it.each<[string, MessageChain[number]]>([
    ['no base64', { type: 'Image', base64: 'ä' }],
    ['empty', { type: 'Image', base64: 'data:image/png;base64,' }],
    ['not there', { type: 'File', path: 'unknown' }],
    ['named by nothing', { type: 'File', name: 'x' }],
    ['too large', { type: 'File', base64: Buffer.alloc(50 * 1024 * 1024 + 1).toString('base64') }],
  ])('that are %s keep the whole message from being sent', async (_, element) => {
    const { adapter } = await start();
    await expect(adapter.send(outgoing(ada.id, [...plain('Look:'), element]))).rejects.toMatchObject({
      reason: 'unsupported_element',
    });
    expect(fake.messages).toEqual([]);
  });

  it('are read anew for another attempt', async () => {
    const { adapter, context } = await start();
    const kept = await context.storeMedia('a.txt', new Blob(['hello']).stream());
    const message = outgoing(ada.id, [{ type: 'File', path: kept.path }]);
    fake.fail('sendDocument', limit(1));
    await expect(adapter.send(message)).rejects.toMatchObject({ kind: 'not_sent' });
    await adapter.send(message);
    expect(fake.messages[0]?.media?.source).toEqual({ name: 'a.txt', content: Buffer.from('hello') });
  });
});

describe('when Telegram does not take a message', () => {
  it.each([
    [403, 'Forbidden: bot was blocked by the user', 'unknown_target'],
    [403, 'Forbidden: bot was kicked from the group chat', 'unknown_target'],
    [400, 'Bad Request: chat not found', 'unknown_target'],
    [400, 'Bad Request: message thread not found', 'unknown_target'],
    [400, 'Bad Request: not enough rights to send text messages to the chat', 'platform_failed'],
    [401, 'Unauthorized', 'platform_failed'],
  ])('%i %s is %s', async (code, description, reason) => {
    const { adapter } = await start();
    fake.fail('sendMessage', { kind: 'error', code, description });
    await expect(adapter.send(outgoing(ada.id, plain('Hi')))).rejects.toMatchObject({
      reason,
      message: `Telegram: ${description}`,
    });
    expect(fake.callsOf('sendMessage')).toHaveLength(1);
  });

  it.each([
    ['3 seconds', 3, 3000],
    ['10 minutes', 600, 600_000],
    ['10 days, of which one is kept', 864_000, 86_400_000],
    ['none', 0, 1000],
    ['a negative time', -7, 1000],
    ['text', '90', 90_000],
    ['no time', undefined, null],
    ['an unreadable time', 'soon', null],
  ])('tells of a rate limit with %s, after one attempt', async (_, retryAfter, pauseMilliseconds) => {
    const { adapter } = await start();
    fake.fail('sendMessage', limit(retryAfter));
    await expect(adapter.send(outgoing(ada.id, plain('Hi')))).rejects.toMatchObject({
      kind: 'not_sent',
      reason: 'quota',
      rateLimit: { pauseMilliseconds, scope: 'chat' },
    });
    expect(fake.callsOf('sendMessage')).toHaveLength(1);
  });

  it('tells that nothing was sent when there is no connection, and when it can be reached again', async () => {
    const { adapter } = await start();
    await fake.goAway();
    await expect(adapter.send(outgoing(ada.id, plain('Hi')))).rejects.toMatchObject({
      kind: 'not_sent',
      reason: 'platform_failed',
      message: expect.stringContaining('Telegram cannot be reached'),
    });
    await expect(adapter.probe?.()).rejects.toMatchObject({ kind: 'not_sent' });
    await fake.comeBack();
    await adapter.probe?.();
    await adapter.send(outgoing(ada.id, plain('Hi')));
    expect(texts()).toEqual(['Hi']);
  });

  it.each<[string, FakeFault]>([
    ['an answer that is lost', { kind: 'lost' }],
    ['a connection that is closed', { kind: 'closed' }],
    ['silence', { kind: 'silence' }],
    ['a fault of the server', { kind: 'error', code: 500, description: 'Internal Server Error' }],
    ['a page of a proxy', { kind: 'page', status: 502 }],
  ])('tells that it may have been sent, after one attempt: %s', async (_, fault) => {
    const { adapter } = await start({ timing: { callMs: 300 } });
    fake.fail('sendMessage', fault);
    await expect(adapter.send(outgoing(ada.id, plain('Hi')))).rejects.toMatchObject({
      kind: 'unknown',
      isRepeatable: false,
      reason: 'platform_failed',
      message: expect.stringContaining('whether the message was delivered is not known'),
    });
    expect(fake.callsOf('sendMessage')).toHaveLength(1);
  });

  it('tells that it may have been sent when the bot is stopped before the answer', async () => {
    const { adapter } = await start({ timing: { stopMs: 50 } });
    fake.fail('sendMessage', { kind: 'silence' });
    const sent = expect(adapter.send(outgoing(ada.id, plain('Hi')))).rejects.toMatchObject({ kind: 'unknown' });
    await expect.poll(() => fake.callsOf('sendMessage')).toHaveLength(1);
    await adapter.stop();
    await sent;
  });

  it('goes on behind the messages that were sent when the rest of it was not', async () => {
    const { adapter } = await start();
    const message = outgoing(ada.id, [...plain('Look:'), { type: 'File', url: 'https://example.org/a.pdf' }]);
    fake.fail('sendDocument', limit(3));
    const first = recordedProgress();
    await expect(adapter.send(message, first.progress)).rejects.toMatchObject({ kind: 'not_sent' });
    expect(first.stored).toHaveLength(1);
    await adapter.send(message, recordedProgress(first.stored[0]).progress);
    expect(fake.messages).toMatchObject([{ text: 'Look:' }, { media: { kind: 'document' } }]);
    expect(fake.callsOf('sendMessage')).toHaveLength(1);
  });

  it('does not send the rest of a message whose sending a crash interrupted', async () => {
    const { adapter } = await start();
    const message = outgoing(ada.id, [...plain('Look:'), { type: 'File', url: 'https://example.org/a.pdf' }]);
    fake.fail('sendDocument', limit(3));
    const first = recordedProgress();
    await expect(adapter.send(message, first.progress)).rejects.toMatchObject({ kind: 'not_sent' });
    await expect(adapter.send(message, recordedProgress(first.stored[0], true).progress)).rejects.toMatchObject({
      kind: 'unknown',
      reason: 'interrupted',
    });
    expect(fake.messages).toHaveLength(1);
  });

  it('lets a message that is on its way arrive when the bot stops', async () => {
    const gate = Promise.withResolvers<void>();
    const underWay = Promise.withResolvers<void>();
    const slow: typeof fetch = async (input, init) => {
      if (String(input).endsWith('/sendMessage')) {
        underWay.resolve();
        await gate.promise;
      }
      return fetch(input, init);
    };
    const { adapter } = await start({ context: { fetch: slow } });
    const sent = adapter.send(outgoing(ada.id, plain('Hi')));
    await underWay.promise;
    const stopped = adapter.stop();
    gate.resolve();
    await Promise.all([sent, stopped]);
    expect(texts()).toEqual(['Hi']);
  });
});

describe('a growing answer', () => {
  const startStreaming = async (options: AdapterOptions = {}) => {
    const { adapter } = await start({ ...options, config: { 'enable-stream-reply': true, ...options.config } });
    const begin = async (chat: number, progress?: SendProgress) => {
      const { message_chain: _, ...message } = outgoing(chat, []);
      const stream = await adapter.stream?.(message, progress);
      if (stream === undefined) throw new Error('the adapter does not stream');
      return stream;
    };
    return { adapter, begin };
  };

  it('is there only when it is wanted', async () => {
    const { adapter } = await start();
    expect(adapter.stream).toBeUndefined();
  });

  it('is sent once and then edited', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    await stream.update(plain('Once **up'));
    await stream.update(plain('Once **upon** a'));
    await stream.update(plain('Once **upon** a'));
    await stream.finish(plain('Once **upon** a time'));
    expect(fake.messages).toMatchObject([
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
    expect(fake.callsOf('editMessageText')).toEqual([]);
    const other = await begin(ada.id);
    await other.update(plain('a'));
    fake.fail('editMessageText', { kind: 'lost' });
    await expect(other.finish(plain('b'))).rejects.toMatchObject({ isRepeatable: true });
    await other.finish(plain('b'));
    expect(texts()).toEqual(['The end', 'b']);
    // The edit whose answer was lost was made again, which changed nothing.
    expect(fake.callsOf('editMessageText')).toHaveLength(2);
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
    const calls = fake.calls.filter(({ method }) => method === 'sendMessage' || method === 'editMessageText');
    const changes = calls.filter(({ parameters }) => parameters.chat_id === ada.id).length;
    // One at the beginning, and one more each 300 ms; a loaded machine makes fewer.
    expect(changes).toBeGreaterThan(1);
    expect(changes).toBeLessThanOrEqual(Math.ceil((Date.now() - begun) / 300) + 1);
    expect(calls.filter(({ parameters }) => parameters.chat_id === group.id)).toHaveLength(1);
    await Promise.all([person.finish(plain('all')), one.finish(plain('one')), two.finish(plain('two'))]);
    expect(texts().sort()).toEqual(['all', 'one', 'two']);
  });

  it('goes on in further messages when it outgrows one', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    const words = Array.from({ length: 1500 }, (_, index) => `word${index}`);
    for (let end = 100; end < words.length; end += 100) await stream.update(plain(words.slice(0, end).join(' ')));
    await stream.finish(plain(words.join(' ')));
    expect(fake.messages).toHaveLength(4);
    expect(texts().join(' ')).toBe(words.join(' '));
  });

  it('takes back messages that the finished text does not need', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    await stream.update(plain('a'.repeat(5000)));
    expect(fake.messages).toHaveLength(2);
    await stream.finish(plain('short'));
    expect(texts()).toEqual(['short']);
  });

  it('can be finished after rate limits and lost edits', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    await stream.update(plain('a'));
    fake.fail('editMessageText', limit(1));
    await expect(stream.update(plain('a b'))).rejects.toMatchObject({ kind: 'not_sent', reason: 'quota' });
    fake.fail('editMessageText', { kind: 'lost' });
    await expect(stream.finish(plain('a b c'))).rejects.toMatchObject({ kind: 'unknown', isRepeatable: true });
    await stream.finish(plain('a b c'));
    expect(texts()).toEqual(['a b c']);
  });

  it('is continued by another process, in the messages that were shown', async () => {
    const { adapter } = await start({ config: { 'enable-stream-reply': true } });
    const { message_chain: _, ...message } = outgoing(ada.id, []);
    const first = recordedProgress();
    const before = await adapter.stream?.(message, first.progress);
    await before?.update(plain('Once upon'));
    expect(first.stored).toHaveLength(1);
    const second = recordedProgress(first.stored[0]);
    const after = await adapter.stream?.(message, second.progress);
    await after?.update(plain('Some day'));
    await after?.finish(plain('Some day, far away'));
    expect(texts()).toEqual(['Some day, far away']);
  });

  it('is continued when streaming was turned off meanwhile, and by a new message when it cannot be edited', async () => {
    const { begin } = await startStreaming();
    const first = recordedProgress();
    const stream = await begin(ada.id, first.progress);
    await stream.update(plain('Once upon'));
    const { adapter } = await start();
    await adapter.send(outgoing(ada.id, plain('The end')), recordedProgress(first.stored[0]).progress);
    expect(texts()).toEqual(['The end']);
    fake.fail('editMessageText', { kind: 'error', code: 400, description: "Bad Request: message can't be edited" });
    await adapter.send(outgoing(ada.id, plain('The very end')), recordedProgress(first.stored[0]).progress);
    expect(texts()).toEqual(['The very end']);
    expect(fake.messages[0]?.message_id).not.toBe(first.stored[0]);
  });

  it.each([
    ['text', 'garbage'],
    ['a list', [1]],
    ['other fields', { shown: [['x', 1], null, [{}]] }],
  ])('begins anew with a handle that cannot be read: %s', async (_, handle) => {
    const { adapter } = await start();
    await adapter.send(outgoing(ada.id, plain('Hi')), recordedProgress(handle).progress);
    expect(texts()).toEqual(['Hi']);
  });

  it('whose beginning may be lost is sent whole, and only once more', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    fake.fail('sendMessage', { kind: 'lost' });
    await expect(stream.update(plain('a'))).rejects.toMatchObject({ reason: 'platform_failed' });
    await stream.update(plain('a b'));
    expect(texts()).toEqual(['a']);
    await stream.finish(plain('a b c'));
    expect(texts()).toEqual(['a', 'a b c']);
  });

  it('that somebody deleted is sent anew', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    await stream.update(plain('a'));
    fake.messages.pop();
    await stream.finish(plain('a b'));
    expect(texts()).toEqual(['a b']);
  });

  it('may end with files, and answer a message', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    const quote = { type: 'Quote' as const, id: 5, origin: [] };
    await stream.update([quote, ...plain('Look')]);
    await stream.finish([quote, ...plain('Look:'), { type: 'Image', url: 'https://x.org/p.png' }, ...plain('Nice')]);
    expect(fake.messages).toMatchObject([
      { text: 'Look:', reply_to: 5 },
      { media: { kind: 'photo', source: 'https://x.org/p.png' } },
      { text: 'Nice' },
    ]);
    expect(fake.messages.slice(1).map(({ reply_to }) => reply_to)).toEqual([undefined, undefined]);
  });

  it('is told to have failed when it did', async () => {
    const { begin } = await startStreaming();
    const stream = await begin(ada.id);
    await stream.update(plain('a'));
    fake.block(ada.id);
    await expect(stream.update(plain('a b'))).rejects.toMatchObject({ reason: 'unknown_target' });
    await expect(stream.finish(plain('a b c'))).rejects.toMatchObject({ reason: 'unknown_target' });
    const empty = await begin(group.id);
    await expect(empty.finish(plain(' '))).rejects.toMatchObject({ reason: 'unsupported_element' });
  });
});
