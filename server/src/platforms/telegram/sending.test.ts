import type { MessageChain } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import type { FakeFault } from './testing/fake-telegram.ts';
import { ada, forum, group } from './testing/fixtures.ts';
import { limit, plain, recordedProgress, sendingTests } from './testing/sending-tests.ts';
import { outgoing } from './testing/start-adapter.ts';

const tests = sendingTests();

describe('a message', () => {
  it('reaches a user, a group and a topic', async () => {
    const { adapter } = await tests.start();
    await adapter.send(outgoing(ada.id, plain('Hello *you*')));
    await adapter.send(
      outgoing(group.id, [
        { type: 'Plain', text: 'Hi ' },
        { type: 'At', target: '1002', display: 'Bob' },
      ]),
    );
    await adapter.send(outgoing(forum.id, plain('Here'), { thread_id: '77' }));
    expect(tests.fake.messages).toMatchObject([
      { chat_id: 1001, text: 'Hello you', entities: [{ type: 'italic', offset: 6, length: 3 }] },
      {
        chat_id: -4001,
        text: 'Hi Bob',
        entities: [{ type: 'text_mention', offset: 3, length: 3, user: { id: 1002 } }],
      },
      { chat_id: forum.id, text: 'Here', message_thread_id: 77 },
    ]);
    expect(tests.fake.messages[0]).not.toHaveProperty('message_thread_id');
  });

  it('goes to a chat that is named', async () => {
    tests.fake.addChat('@news' as never);
    const { adapter } = await tests.start();
    await adapter.send(outgoing('@news', plain('Hello')));
    expect(tests.fake.messages).toMatchObject([{ chat_id: '@news' }]);
  });

  it('is plain text when Markdown is not wanted', async () => {
    const { adapter } = await tests.start({ config: { markdown_card: false } });
    await adapter.send(outgoing(ada.id, plain('# a *b*')));
    expect(tests.fake.messages).toMatchObject([{ text: '# a *b*', entities: [] }]);
  });

  it('is sent without formatting when Telegram rejects it', async () => {
    const { adapter } = await tests.start();
    tests.fake.fail('sendMessage', { kind: 'error', code: 400, description: "Bad Request: can't parse entities" });
    await adapter.send(outgoing(ada.id, plain('**a**')));
    expect(tests.fake.messages).toMatchObject([{ text: 'a', entities: [] }]);
    tests.fake.fail('sendMessage', { kind: 'error', code: 400, description: 'Bad Request: chat not found' });
    await expect(adapter.send(outgoing(ada.id, plain('**a**')))).rejects.toMatchObject({ reason: 'unknown_target' });
    expect(tests.fake.callsOf('sendMessage')).toHaveLength(3);
  });

  it('that is too long is several, the first of which answers', async () => {
    const { adapter } = await tests.start();
    const paragraphs = Array.from({ length: 30 }, (_, index) => `**${index}** ${'word '.repeat(80).trim()}`);
    await adapter.send(outgoing(ada.id, [{ type: 'Quote', id: 5, origin: [] }, ...plain(paragraphs.join('\n\n'))]));
    expect(tests.fake.messages.map(({ reply_to }) => reply_to)).toEqual([5, undefined, undefined]);
    expect(tests.texts().join('\n\n')).toBe(paragraphs.join('\n\n').replaceAll('**', ''));
    expect(tests.fake.callsOf('sendMessage')[0]?.parameters.reply_parameters).toEqual({
      message_id: 5,
      allow_sending_without_reply: true,
    });
    const bold = tests.fake.messages.flatMap(({ text = '', entities }) =>
      entities.map(({ offset, length }) => text.slice(offset, offset + length)),
    );
    expect(bold).toEqual(paragraphs.map((_, index) => String(index)));
  });

  it('without anything to show is refused', async () => {
    const { adapter } = await tests.start();
    for (const chain of [plain(' \n'), [{ type: 'Source' as const, id: 1, timestamp: 1 }]]) {
      await expect(adapter.send(outgoing(ada.id, chain))).rejects.toMatchObject({ reason: 'unsupported_element' });
    }
  });

  it('finds a group that has become another', async () => {
    const { adapter } = await tests.start();
    tests.fake.addChat(-1009);
    tests.fake.fail('sendMessage', {
      kind: 'error',
      code: 400,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: -1009 },
    });
    await adapter.send(outgoing(group.id, plain('Hi')));
    expect(tests.fake.messages).toMatchObject([{ chat_id: -1009, text: 'Hi' }]);
  });
});

describe('files', () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex');

  it('are uploaded from their content or our storage, or fetched by Telegram', async () => {
    const { adapter, context } = await tests.start();
    const stored = await context.storeMedia('song "1".ogg', new Blob(['a song']).stream());
    await adapter.send(
      outgoing(ada.id, [
        { type: 'Plain', text: 'Look:' },
        { type: 'Image', base64: `data:image/png;base64,${png.toString('base64')}` },
        { type: 'Voice', path: stored.path, length: 2 },
        { type: 'File', url: 'https://example.org/a.pdf', name: 'a.pdf' },
        { type: 'Image', image_id: 'AgACAgIAAx' },
        { type: 'File', base64: Buffer.from('hello').toString('base64'), name: 'grüße.txt' },
      ]),
    );
    expect(tests.texts()).toEqual(['Look:', undefined, undefined, undefined, undefined, undefined]);
    expect(tests.fake.messages.slice(1).map(({ media }) => media)).toEqual([
      { kind: 'photo', source: { name: 'photo.png', content: png } },
      { kind: 'voice', source: { name: 'song _1_.ogg', content: Buffer.from('a song') }, duration: 2 },
      { kind: 'document', source: 'https://example.org/a.pdf' },
      { kind: 'photo', source: 'AgACAgIAAx' },
      { kind: 'document', source: { name: 'grüße.txt', content: Buffer.from('hello') } },
    ]);
  });

  it('are sent as files when they are no photo or voice message to Telegram', async () => {
    const { adapter } = await tests.start();
    tests.fake.fail('sendPhoto', { kind: 'error', code: 400, description: 'Bad Request: PHOTO_INVALID_DIMENSIONS' });
    tests.fake.fail('sendVoice', { kind: 'error', code: 400, description: 'Bad Request: VOICE_MESSAGES_FORBIDDEN' });
    const base64 = png.toString('base64');
    await adapter.send(
      outgoing(ada.id, [
        { type: 'Image', base64 },
        { type: 'Voice', base64 },
      ]),
    );
    expect(tests.fake.messages.map(({ media }) => media?.kind)).toEqual(['document', 'document']);
    const huge = Buffer.alloc(10 * 1024 * 1024 + 1).toString('base64');
    await adapter.send(outgoing(ada.id, [{ type: 'Image', base64: huge }]));
    expect(tests.fake.messages[2]?.media).toMatchObject({ kind: 'document' });
    expect(tests.fake.callsOf('sendPhoto')).toHaveLength(1);
  });

  it('that Telegram cannot fetch are reported as such', async () => {
    const { adapter } = await tests.start();
    const description = 'Bad Request: failed to get HTTP URL content';
    tests.fake.fail('sendPhoto', { kind: 'error', code: 400, description });
    await expect(adapter.send(outgoing(ada.id, [{ type: 'Image', url: 'https://x.org/y' }]))).rejects.toMatchObject({
      reason: 'platform_failed',
      message: `Telegram: ${description}`,
    });
    expect(tests.fake.messages).toEqual([]);
  });

  it.each<[string, MessageChain[number]]>([
    ['no base64', { type: 'Image', base64: 'ä' }],
    ['empty', { type: 'Image', base64: 'data:image/png;base64,' }],
    ['not there', { type: 'File', path: 'unknown' }],
    ['named by nothing', { type: 'File', name: 'x' }],
    ['too large', { type: 'File', base64: Buffer.alloc(50 * 1024 * 1024 + 1).toString('base64') }],
  ])('that are %s keep the whole message from being sent', async (_, element) => {
    const { adapter } = await tests.start();
    await expect(adapter.send(outgoing(ada.id, [...plain('Look:'), element]))).rejects.toMatchObject({
      reason: 'unsupported_element',
    });
    expect(tests.fake.messages).toEqual([]);
  });

  it('are read again for a retry', async () => {
    const { adapter, context } = await tests.start();
    const stored = await context.storeMedia('a.txt', new Blob(['hello']).stream());
    const message = outgoing(ada.id, [{ type: 'File', path: stored.path }]);
    tests.fake.fail('sendDocument', limit(1));
    await expect(adapter.send(message)).rejects.toMatchObject({ kind: 'not_sent' });
    await adapter.send(message);
    expect(tests.fake.messages[0]?.media?.source).toEqual({ name: 'a.txt', content: Buffer.from('hello') });
  });
});

describe('when Telegram does not take a message', () => {
  it.each([
    [403, 'Forbidden: bot was blocked by the user', 'blocked'],
    [403, 'Forbidden: bot was kicked from the group chat', 'blocked'],
    [400, 'Bad Request: chat not found', 'unknown_target'],
    [400, 'Bad Request: message thread not found', 'unknown_target'],
    [400, 'Bad Request: not enough rights to send text messages to the chat', 'platform_failed'],
    [401, 'Unauthorized', 'platform_failed'],
  ])('%i %s is %s', async (code, description, reason) => {
    const { adapter } = await tests.start();
    tests.fake.fail('sendMessage', { kind: 'error', code, description });
    await expect(adapter.send(outgoing(ada.id, plain('Hi')))).rejects.toMatchObject({
      reason,
      message: `Telegram: ${description}`,
    });
    expect(tests.fake.callsOf('sendMessage')).toHaveLength(1);
  });

  it.each([
    ['3 seconds', 3, 3000],
    ['10 minutes', 600, 600_000],
    ['10 days, limited to one', 864_000, 86_400_000],
    ['none', 0, 1000],
    ['a negative time', -7, 1000],
    ['text', '90', 90_000],
    ['no time', undefined, null],
    ['an unreadable time', 'soon', null],
  ])('reports a rate limit with %s, after one attempt', async (_, retryAfter, pauseMs) => {
    const { adapter } = await tests.start();
    tests.fake.fail('sendMessage', limit(retryAfter));
    await expect(adapter.send(outgoing(ada.id, plain('Hi')))).rejects.toMatchObject({
      kind: 'not_sent',
      reason: 'quota',
      rateLimit: { pauseMs, scope: 'chat' },
    });
    expect(tests.fake.callsOf('sendMessage')).toHaveLength(1);
  });

  it('tells that nothing was sent when there is no connection, and when it can be reached again', async () => {
    const { adapter } = await tests.start();
    await tests.fake.goAway();
    await expect(adapter.send(outgoing(ada.id, plain('Hi')))).rejects.toMatchObject({
      kind: 'not_sent',
      reason: 'platform_failed',
      message: expect.stringContaining('Telegram cannot be reached'),
    });
    await expect(adapter.probe?.()).rejects.toMatchObject({ kind: 'not_sent' });
    await tests.fake.comeBack();
    await adapter.probe?.();
    await adapter.send(outgoing(ada.id, plain('Hi')));
    expect(tests.texts()).toEqual(['Hi']);
  });

  it.each<[string, FakeFault]>([
    ['an answer that is lost', { kind: 'lost' }],
    ['a connection that is closed', { kind: 'closed' }],
    ['silence', { kind: 'silence' }],
    ['a fault of the server', { kind: 'error', code: 500, description: 'Internal Server Error' }],
    ['a page of a proxy', { kind: 'page', status: 502 }],
  ])('tells that it may have been sent, after one attempt: %s', async (_, fault) => {
    const { adapter } = await tests.start({ timing: { callMs: 300 } });
    tests.fake.fail('sendMessage', fault);
    await expect(adapter.send(outgoing(ada.id, plain('Hi')))).rejects.toMatchObject({
      kind: 'unknown',
      isRepeatable: false,
      reason: 'platform_failed',
      message: expect.stringContaining('whether the message was delivered is not known'),
    });
    expect(tests.fake.callsOf('sendMessage')).toHaveLength(1);
  });

  it('tells that it may have been sent when the bot is stopped before the answer', async () => {
    const { adapter } = await tests.start({ timing: { stopMs: 50 } });
    tests.fake.fail('sendMessage', { kind: 'silence' });
    const sent = expect(adapter.send(outgoing(ada.id, plain('Hi')))).rejects.toMatchObject({ kind: 'unknown' });
    await expect.poll(() => tests.fake.callsOf('sendMessage')).toHaveLength(1);
    await adapter.stop();
    await sent;
  });

  it('continues after the messages that were already sent', async () => {
    const { adapter } = await tests.start();
    const message = outgoing(ada.id, [...plain('Look:'), { type: 'File', url: 'https://example.org/a.pdf' }]);
    tests.fake.fail('sendDocument', limit(3));
    const first = recordedProgress();
    await expect(adapter.send(message, first.progress)).rejects.toMatchObject({ kind: 'not_sent' });
    expect(first.stored).toHaveLength(1);
    await adapter.send(message, recordedProgress(first.stored[0]).progress);
    expect(tests.fake.messages).toMatchObject([{ text: 'Look:' }, { media: { kind: 'document' } }]);
    expect(tests.fake.callsOf('sendMessage')).toHaveLength(1);
  });

  it('does not send the rest of a message whose sending a crash interrupted', async () => {
    const { adapter } = await tests.start();
    const message = outgoing(ada.id, [...plain('Look:'), { type: 'File', url: 'https://example.org/a.pdf' }]);
    tests.fake.fail('sendDocument', limit(3));
    const first = recordedProgress();
    await expect(adapter.send(message, first.progress)).rejects.toMatchObject({ kind: 'not_sent' });
    await expect(adapter.send(message, recordedProgress(first.stored[0], true).progress)).rejects.toMatchObject({
      kind: 'unknown',
      reason: 'interrupted',
    });
    expect(tests.fake.messages).toHaveLength(1);
  });

  it('lets a message that is on its way arrive when the bot stops', async () => {
    const gate = Promise.withResolvers<void>();
    const inProgress = Promise.withResolvers<void>();
    const slow: typeof fetch = async (input, init) => {
      if (String(input).endsWith('/sendMessage')) {
        inProgress.resolve();
        await gate.promise;
      }
      return fetch(input, init);
    };
    const { adapter } = await tests.start({ context: { fetch: slow } });
    const sent = adapter.send(outgoing(ada.id, plain('Hi')));
    await inProgress.promise;
    const stopped = adapter.stop();
    gate.resolve();
    await Promise.all([sent, stopped]);
    expect(tests.texts()).toEqual(['Hi']);
  });
});

describe('typing', () => {
  it('is shown in a chat or a topic', async () => {
    const { adapter } = await tests.start();
    const targets = [outgoing(ada.id, []), outgoing(forum.id, [], { thread_id: '77' })].map(({ target }) => target);
    for (const target of targets) await adapter.showTyping?.(target);
    expect(tests.fake.callsOf('sendChatAction').map(({ parameters }) => parameters)).toEqual([
      { chat_id: 1001, action: 'typing' },
      { chat_id: forum.id, message_thread_id: 77, action: 'typing' },
    ]);
  });

  it('is a courtesy: when it fails, the connection stays', async () => {
    tests.fake.fail('sendChatAction', { kind: 'error', code: 500, description: 'no' });
    const { adapter, context } = await tests.start();
    await expect(adapter.showTyping?.(outgoing(ada.id, []).target)).rejects.toThrow();
    await adapter.send(outgoing(ada.id, plain('Hello')));
    expect([tests.texts(), context.reports]).toEqual([['Hello'], []]);
  });
});
