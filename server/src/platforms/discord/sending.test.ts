import type { MessageChain } from '@parley/sdk';
import type { FakeChat } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { adapterTests, outgoing, plain, recordedProgress } from './testing/start-adapter.ts';

const tests = adapterTests();
const group = () => tests.fake.group();
const shown = () => tests.fake.sent();
const posts = () => tests.fake.rest.log.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'));

async function send(chain: MessageChain, chat: FakeChat = group()) {
  const { adapter } = await tests.start();
  return adapter.send(outgoing(chat, chain));
}

const failureOf = (sending: Promise<unknown>) => sending.then(() => null).catch((error: unknown) => error);
const file = (name: string, size = 4) => ({
  type: 'File' as const,
  name,
  base64: Buffer.alloc(size, 'x').toString('base64'),
});

describe('a message', () => {
  it('goes to a person, a channel and a thread', async () => {
    const { adapter } = await tests.start();
    const chats = [tests.fake.person(), group(), tests.fake.thread()];
    for (const chat of chats) await adapter.send(outgoing(chat, plain('Hello')));
    for (const chat of chats) await adapter.send(outgoing(chat, plain('Again')));
    expect(shown().map(({ chat }) => chat)).toEqual([...chats, ...chats]);
    expect(tests.fake.rest.log.filter(({ path }) => path === '/users/@me/channels')).toHaveLength(1);
  });

  it('has a nonce that Discord enforces, and allows mentions of its elements only', async () => {
    const text = '@everyone @here <@700000000000000002> <@&900000000000000001> Hello';
    await send([{ type: 'At', target: tests.fake.userId }, ...plain(text)]);
    const body = posts()[0]?.body;
    expect(body).toMatchObject({
      enforce_nonce: true,
      allowed_mentions: { parse: [], users: [tests.fake.userId], replied_user: false },
    });
    expect(String(body?.nonce).length).toBeLessThanOrEqual(25);
    expect(shown()).toMatchObject([{ notifies: [tests.fake.userId] }]);
  });

  it('notifies everyone only with the element for it', async () => {
    await send([{ type: 'AtAll' }, ...plain(' Hello')]);
    expect(shown()).toMatchObject([{ text: '@everyone Hello', notifies: ['everyone'] }]);
  });

  it('is sent once, however often it is tried', async () => {
    const { adapter } = await tests.start();
    const message = outgoing(group(), plain('Once'));
    const [first, second] = [await adapter.send(message), await adapter.send(message)];
    expect(first).toEqual(second);
    expect(tests.texts()).toEqual(['Once']);
  });

  it('replaces what an attempt with the same token showed before its response was lost', async () => {
    const { adapter } = await tests.start();
    const message = outgoing(group(), plain('The start of an answer, and its end'));
    tests.fake.fail('send', 'cut');
    const stream = await adapter.stream?.(message, recordedProgress().progress);
    expect(await failureOf(stream?.update(plain('The start')) as Promise<void>)).toMatchObject({ kind: 'unknown' });
    await adapter.send(message);
    expect(tests.texts()).toEqual(['The start of an answer, and its end']);
  });

  it('replies to the message it quotes, unless that is gone or the history is hidden', async () => {
    const { adapter } = await tests.start();
    const { id } = await tests.fake.deliver({ chat: group(), text: 'Question' });
    const quote = (of: string): MessageChain => [{ type: 'Quote', id: of, origin: [] }, ...plain('Answer')];
    await adapter.send(outgoing(group(), quote(id)));
    await adapter.send(outgoing(group(), quote('123456789012345678')));
    tests.fake.world.general.denied = 'history';
    await adapter.send(outgoing(group(), quote(id)));
    expect(shown().map(({ quotes, text }) => [quotes, text])).toEqual([
      [id, 'Answer'],
      [null, 'Answer'],
      [null, 'Answer'],
    ]);
    expect(shown().flatMap(({ notifies }) => notifies)).toEqual([]);
  });

  it('that takes several is continued where a rate limit or a lost response ended it', async () => {
    const { adapter } = await tests.start();
    const paragraphs = ['a ', 'b ', 'c '].map((word) => word.repeat(900).trim());
    const message = outgoing(group(), plain(paragraphs.join('\n\n')));
    const first = recordedProgress();
    tests.fake.limit({ route: 'send', after: 1, pause: { seconds: 1 }, times: 1 });
    expect(await failureOf(adapter.send(message, first.progress))).toMatchObject({ kind: 'not_sent' });
    const second = recordedProgress(first.stored.at(-1));
    tests.fake.fail('send', 'cut');
    expect(await failureOf(adapter.send(message, second.progress))).toMatchObject({ kind: 'unknown' });
    await adapter.send(message, recordedProgress(second.stored.at(-1) ?? first.stored.at(-1)).progress);
    expect(tests.texts()).toEqual(paragraphs);
  });

  it('shows forwarded messages and other elements as text', async () => {
    const node_list = [{ sender_name: 'Ada', message_chain: plain('Inside') as never }];
    await send([
      { type: 'Forward', display: { title: 'Chat' }, node_list },
      { type: 'Face', face_name: 'smile' },
    ]);
    expect(tests.texts()).toEqual(['Chat\nAda: Inside\n[smile]']);
  });
});

describe('files', () => {
  it('go with their text, ten in a message', async () => {
    const files = Array.from({ length: 12 }, (_, index) => file(`${index}.txt`));
    await send([...plain('Before'), ...files, ...plain('After')]);
    expect(shown().map(({ text, media }) => [text, media.length])).toEqual([
      ['Before', 10],
      ['', 2],
      ['After', 0],
    ]);
    expect(Buffer.from(shown()[0]?.media[3]?.content ?? []).toString()).toBe('xxxx');
  });

  it('take as many messages as their size needs', async () => {
    await send([...plain('Two large ones'), file('a.bin', 6_000_000), file('b.bin', 6_000_000), file('c.bin', 10)]);
    expect(shown().map(({ media }) => media.map(({ name }) => name))).toEqual([['a.bin'], ['b.bin', 'c.bin']]);
  });

  it.each([
    ['is too large', file('a.bin', 10 * 1024 * 1024 + 1)],
    ['has no content', { type: 'Image' as const, image_id: '5' }],
    ['does not exist', { type: 'Image' as const, path: 'nowhere' }],
  ])('of which one %s are refused before anything is sent', async (_, element) => {
    expect(await failureOf(send([...plain('Text'), element]))).toMatchObject({
      kind: 'refused',
      reason: 'unsupported_element',
    });
    expect(shown()).toEqual([]);
  });

  it('with names of any kind arrive', async () => {
    await send([file('a"b\\c\r\nx: y/文件.txt')]);
    expect(shown()[0]?.media[0]?.name).toBe('a_b_c__x: y_文件.txt');
  });
});

describe('a refusal', () => {
  it.each([
    ['unknown_target', 'seeing', 'Missing Access'],
    ['platform_failed', 'sending', 'Send Messages in Threads'],
  ] as const)('is %s where the bot lacks %s', async (reason, denied, text) => {
    tests.fake.world.general.denied = denied;
    const failure = await failureOf(send(plain('Hello')));
    expect(failure).toMatchObject({ kind: 'refused', reason, message: expect.stringContaining(text) });
  });

  it('of a user who takes no messages is blocked, and of an unknown one an unknown target', async () => {
    const { adapter } = await tests.start();
    tests.fake.world.closedUsers.add(tests.fake.userId);
    const refusals = [
      [tests.fake.person(), 'blocked'],
      [{ ...tests.fake.person(), session_id: '5' }, 'unknown_target'],
    ] as const;
    for (const [chat, reason] of refusals) {
      const failure = await failureOf(adapter.send(outgoing(chat, plain('Hello'))));
      expect(failure).toMatchObject({ kind: 'refused', reason });
    }
  });

  it('of a forum says that it takes posts only', async () => {
    const { id } = tests.fake.world.addChannel({ type: 15, name: 'help', guild_id: '8' });
    const failure = await failureOf(send(plain('Hello'), { ...group(), session_id: id }));
    expect(failure).toMatchObject({ reason: 'unknown_target', message: expect.stringContaining('<channel>_<post>') });
  });

  it('of a form names its field', async () => {
    tests.fake.fail('send', 'refused');
    const failure = await failureOf(send(plain('Hello')));
    expect(failure).toMatchObject({ message: 'Discord: Invalid Form Body; content: This content is not wanted.' });
  });

  it('of the token ends the bot', async () => {
    const { adapter, context } = await tests.start();
    tests.fake.bot.isRevoked = true;
    expect(await failureOf(adapter.send(outgoing(group(), plain('Hello'))))).toMatchObject({ kind: 'refused' });
    expect(context.reports).toMatchObject([{ state: 'failed', reason: 'platform_unauthorized' }]);
  });
});

describe('a rate limit', () => {
  it('of a channel is one of the chat, of all calls one of the bot', async () => {
    const { adapter } = await tests.start();
    tests.fake.limit({ route: 'send', after: 0, pause: { seconds: 60 }, times: 1 });
    expect(await failureOf(adapter.send(outgoing(group(), plain('One'))))).toMatchObject({
      kind: 'not_sent',
      rateLimit: { pauseMs: 60_000, scope: 'chat' },
    });
    await adapter.send(outgoing(tests.fake.thread(), plain('Elsewhere')));
    tests.fake.limit({ route: 'send', after: 0, pause: 'unnamed', times: 1 });
    expect(await failureOf(adapter.send(outgoing(tests.fake.thread(), plain('Two'))))).toMatchObject({
      rateLimit: { pauseMs: 60_000, scope: 'bot' },
    });
    expect(await failureOf(adapter.send(outgoing(tests.fake.person(), plain('Three'))))).toMatchObject({
      kind: 'not_sent',
      rateLimit: { scope: 'bot' },
    });
    expect(tests.texts()).toEqual(['Elsewhere']);
  });

  it('is not met when the headers tell of it before', async () => {
    const { adapter } = await tests.start();
    tests.fake.rest.bucket = { most: 2, periodMs: 300 };
    const start = performance.now();
    for (const text of ['One', 'Two', 'Three', 'Four', 'Five']) await adapter.send(outgoing(group(), plain(text)));
    expect(performance.now() - start).toBeGreaterThan(500);
    expect(tests.texts()).toHaveLength(5);
  });
});

describe('an answer that grows', () => {
  const grown = async () => {
    const { adapter } = await tests.start();
    const message = outgoing(group(), plain(''));
    const recorded = recordedProgress();
    const stream = await adapter.stream?.(message, recorded.progress);
    if (stream === undefined) throw new Error('There is no stream');
    return { adapter, message, stream, ...recorded };
  };

  it('is one message with its history', async () => {
    const { stream } = await grown();
    await stream.update(plain('One'));
    await stream.update(plain('One two'));
    await stream.finish(plain('One two three'));
    expect(shown().map(({ history }) => history.map(({ text }) => text))).toEqual([
      ['One', 'One two', 'One two three'],
    ]);
  });

  it('keeps the pace of its channel', async () => {
    const { adapter } = await tests.start({ timing: { editMs: 200 } });
    const stream = await adapter.stream?.(outgoing(group(), plain('')), recordedProgress().progress);
    const end = performance.now() + 500;
    let text = '';
    while (performance.now() < end) {
      text += 'word ';
      await stream?.update(plain(text));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(tests.fake.calls('edit')).toBeLessThanOrEqual(3);
    expect(tests.fake.calls('edit')).toBeGreaterThanOrEqual(1);
    await stream?.finish(plain('All of it'));
    expect(tests.texts()).toEqual(['All of it']);
  });

  it('ends whole after a rate limit on an edit, and after an edit that was refused', async () => {
    for (const fault of ['limit', 'refused'] as const) {
      const { stream } = await grown();
      await stream.update(plain('One'));
      if (fault === 'limit') tests.fake.limit({ route: 'edit', after: 0, pause: { seconds: 1 }, times: 1 });
      else tests.fake.fail('edit', 'refused');
      expect(await failureOf(stream.update(plain('One two')))).not.toBeNull();
      await stream.finish(plain(`All after ${fault}`));
    }
    expect(tests.texts()).toEqual(['All after limit', 'All after refused']);
  });

  it('is replaced by a new message when its own is gone or too old for edits', async () => {
    const { stream } = await grown();
    await stream.update(plain('One'));
    const message = tests.fake.world.messages.find(({ content }) => content === 'One');
    if (message !== undefined) message.isDeleted = true;
    await stream.finish(plain('One two'));
    const second = await grown();
    await second.stream.update(plain('1'));
    tests.fake.advance(3_700_000);
    for (const text of ['12', '123', '1234', '12345', '123456']) await second.stream.update(plain(text));
    await second.stream.finish(plain('1234567'));
    expect(tests.texts()).toEqual(['One two', '1234567']);
  });

  it('is completed in the same message after a crash', async () => {
    const { adapter, message, stream, stored } = await grown();
    await stream.update(plain('One'));
    await adapter.stop();
    const other = await tests.start();
    const { progress } = recordedProgress(stored.at(-1), true);
    await other.adapter.send({ ...message, message_chain: plain('Something else') }, progress);
    expect(tests.texts()).toEqual(['Something else']);
  });

  it('shows its files at the end, in the message of its text', async () => {
    const { stream } = await grown();
    await stream.update([...plain('Look'), file('a.txt')]);
    expect(shown()).toMatchObject([{ text: 'Look', media: [] }]);
    await stream.finish([...plain('Look at this'), file('a.txt')]);
    expect(shown()).toMatchObject([{ text: 'Look at this', media: [{ name: 'a.txt' }] }]);
  });
});

it('shows typing, and checks whether Discord can be reached', async () => {
  const { adapter } = await tests.start();
  await adapter.showTyping?.({ ...tests.fake.thread(), pipeline_uuid: null });
  expect(tests.fake.rest.log.at(-1)?.path).toBe(`/channels/${tests.fake.thread().thread_id}/typing`);
  await adapter.probe?.();
  await tests.fake.goAway();
  await expect(adapter.probe?.()).rejects.toMatchObject({ kind: 'not_sent' });
});
