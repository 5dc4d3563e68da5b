import { expect } from 'vitest';
import { ParleyError } from '../../../src/errors.ts';
import type { MessageChain } from '../../../src/message-chain.ts';
import type { MessageEvent } from '../../../src/message-event.ts';
import { textOfChain } from '../../../src/message-text.ts';
import type { FakeChat, FakeMedia, FakeMediaKind, FakeMessage } from '../fake-platform.ts';
import { casesOf } from '../platform-case.ts';
import { chatOf, type Stage } from '../stage.ts';

const content = new TextEncoder().encode('The content of a file. 文件');
const fileOf = (kind: FakeMediaKind, over: Partial<FakeMedia> = {}): FakeMedia => ({
  kind,
  name: { image: 'cat.png', voice: 'hello.ogg', file: 'list.txt' }[kind],
  content,
  ...over,
});

const elementOf = { image: 'Image', voice: 'Voice', file: 'File' } as const;

async function receives(stage: Stage, chat: FakeChat): Promise<void> {
  await stage.start();
  const { event } = await stage.ask({ chat, text: 'Hello 你好 🦜' });
  expect(chatOf(event)).toEqual(chat);
  expect(event.sender_id).toBe(stage.fake.userId);
  // Some platforms deliver group messages only if they mention the bot.
  const said = event.message_chain.filter(
    (element) => element.type !== 'At' || String(element.target) !== stage.fake.accountId,
  );
  expect(textOfChain(said)).toBe('Hello 你好 🦜');
  expect(event.message_chain.filter(({ type }) => type === 'Plain')).toHaveLength(1);
}

/** A message that is not to be received, followed by one that is. */
async function ignores(stage: Stage, message: FakeMessage): Promise<void> {
  await stage.start();
  await stage.fake.deliver({ ...message, text: message.text ?? 'Not for the bot' });
  await stage.ask({ chat: message.chat ?? stage.fake.person(), text: 'For the bot' });
  expect(stage.messages.map(({ message_chain }) => textOfChain(message_chain))).toEqual(['For the bot']);
}

async function fetched(stage: Stage, event: MessageEvent, index = 0): Promise<Uint8Array> {
  const reference = event.media?.[index];
  const chunks: Uint8Array[] = [];
  const stream = await stage.adapter.fetchMedia?.(jsonOf(reference?.value), new AbortController().signal);
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** As the service keeps it. */
const jsonOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const textIn = (chain: MessageChain) => textOfChain(chain).trim();

async function receivesFile(stage: Stage, kind: FakeMediaKind): Promise<void> {
  await stage.start();
  const { event } = await stage.ask({ media: [fileOf(kind)] });
  const element = event.message_chain.find(({ type }) => type === elementOf[kind]);
  expect(element, 'the element').toBeDefined();
  expect(event.media).toHaveLength(1);
  expect(stage.fake.calls('media'), 'calls for the content before it was stored').toBe(0);
  expect(Buffer.from(await fetched(stage, event)).equals(content)).toBe(true);
}

async function fetchFails(stage: Stage, fault: FakeMedia['fault'], reasons: ParleyError['reason'][]): Promise<void> {
  await stage.start();
  const { event } = await stage.ask({ media: [fileOf('file', fault === undefined ? {} : { fault })] });
  const failure = await fetched(stage, event).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ParleyError);
  expect(reasons).toContain((failure as ParleyError).reason);
}

async function mentions(stage: Stage, message: FakeMessage): Promise<MessageEvent> {
  await stage.start();
  const { event } = await stage.ask({ chat: stage.fake.group(), text: 'are you there?', ...message });
  return event;
}

const isMeant = (stage: Stage, { message_chain, facts }: MessageEvent) =>
  message_chain.some((element) => element.type === 'At' && String(element.target) === stage.adapter.accountId?.()) ||
  (facts?.bot_mentions ?? []).length > 0;

export const receivingCases = casesOf('receiving', [
  { name: 'text of a person', run: (stage) => receives(stage, stage.fake.person()) },
  { name: 'text in a group', run: (stage) => receives(stage, stage.fake.group()) },
  { name: 'text in a thread', run: (stage) => receives(stage, stage.thread()) },
  { name: 'image is fetched after it was stored', run: (stage) => receivesFile(stage, 'image') },
  { name: 'voice is fetched after it was stored', run: (stage) => receivesFile(stage, 'voice') },
  { name: 'file is fetched after it was stored', run: (stage) => receivesFile(stage, 'file') },
  {
    name: 'caption of a file',
    run: async (stage) => {
      await stage.start();
      const { event } = await stage.ask({ text: 'Look at this', media: [fileOf('image')] });
      expect(event.message_chain.filter(({ type }) => type === 'Image')).toHaveLength(1);
      expect(textIn(event.message_chain.filter(({ type }) => type === 'Plain'))).toBe('Look at this');
    },
  },
  {
    name: 'several files in one message',
    run: async (stage) => {
      await stage.start();
      const other = new TextEncoder().encode('Another one');
      const { event } = await stage.ask({
        media: [fileOf('image'), fileOf('image', { name: 'dog.png', content: other })],
      });
      expect(new Set(event.media?.map(({ id }) => id)).size).toBe(2);
      expect(Buffer.from(await fetched(stage, event, 0)).equals(content)).toBe(true);
      expect(Buffer.from(await fetched(stage, event, 1)).equals(other)).toBe(true);
    },
  },
  { name: 'file that is gone', run: (stage) => fetchFails(stage, 'gone', ['not_found', 'empty_file']) },
  {
    name: 'page instead of a file',
    run: (stage) =>
      fetchFails(stage, 'forbidden', ['not_found', 'forbidden', 'platform_failed', 'platform_unauthorized']),
  },
  {
    name: 'file with a false type and size',
    run: async (stage) => {
      await stage.start();
      const { event } = await stage.ask({ media: [fileOf('file', { fault: 'wrong_type' })] });
      expect(Buffer.from(await fetched(stage, event)).equals(content)).toBe(true);
    },
  },
  {
    name: 'content is fetched again after a failure',
    run: async (stage) => {
      await stage.start();
      const { event } = await stage.ask({ media: [fileOf('file')] });
      stage.fake.fail('media', 'server_error');
      const failure = await fetched(stage, event).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect((failure as ParleyError).reason, 'a reason that ends the retries').not.toBe('not_found');
      expect(Buffer.from(await fetched(stage, event)).equals(content)).toBe(true);
    },
  },
  {
    name: 'quote',
    run: async (stage) => {
      await stage.start();
      const first = await stage.fake.deliver({ text: 'The first' });
      const { event } = await stage.ask({ text: 'The second', quotes: first.id });
      const quote = event.message_chain.find(({ type }) => type === 'Quote');
      expect(quote).toBeDefined();
      expect(textIn(event.message_chain)).toBe('The second');
    },
  },
  {
    name: 'quote of a message of the bot',
    run: async (stage) => {
      await stage.start();
      await stage.send('An answer', { to: stage.fake.group() });
      const [shown] = stage.shown();
      const { event } = await stage.ask({ chat: stage.fake.group(), text: 'Why?', quotes: shown?.id ?? '' });
      const quote = event.message_chain.find((element) => element.type === 'Quote');
      expect(quote).toBeDefined();
      expect(event.facts?.bot_mentions).toContain('reply');
    },
  },
  {
    name: 'quote of a message that is gone',
    run: async (stage) => {
      await stage.start();
      const { event } = await stage.ask({ text: 'As I said', quotes: 'gone' });
      expect(textIn(event.message_chain)).toBe('As I said');
    },
  },
  {
    name: 'ids of chats are the same after a restart',
    run: async (stage) => {
      await stage.start();
      const chats = [stage.fake.person(), stage.fake.group()];
      for (const chat of chats) expect(chatOf((await stage.ask({ chat })).event)).toEqual(chat);
      await stage.restart();
      for (const chat of chats) expect(chatOf((await stage.ask({ chat })).event)).toEqual(chat);
    },
  },
  { name: 'messages of the bot itself are ignored', run: (stage) => ignores(stage, { sender: 'the_bot' }) },
  {
    name: 'messages of other bots are ignored',
    run: (stage) => ignores(stage, { sender: 'another_bot', chat: stage.fake.group() }),
  },
  {
    name: 'mention of the bot',
    run: async (stage) => {
      const event = await mentions(stage, { mention: 'account' });
      expect(stage.adapter.accountId?.()).toBe(stage.fake.accountId);
      const target = event.message_chain.flatMap((element) => (element.type === 'At' ? [String(element.target)] : []));
      expect(target).toEqual([stage.fake.accountId]);
      expect(textIn(event.message_chain.filter(({ type }) => type === 'Plain'))).toBe('are you there?');
    },
  },
  {
    name: 'name of the bot in a text is no mention',
    run: async (stage) => expect(isMeant(stage, await mentions(stage, { mention: 'name' }))).toBe(false),
  },
  {
    name: 'mention of a role of the bot',
    run: async (stage) => expect((await mentions(stage, { mention: 'role' })).facts?.bot_mentions).toContain('role'),
  },
  {
    name: 'mention of everyone',
    run: async (stage) => {
      const { message_chain, facts } = await mentions(stage, { mention: 'everyone' });
      const names = message_chain.some(({ type }) => type === 'AtAll') || facts?.bot_mentions?.includes('everyone');
      expect(names).toBe(true);
      expect(
        message_chain.some(({ type }) => type === 'At'),
        'a mention of the bot',
      ).toBe(false);
    },
  },
  {
    name: 'mention of another user',
    run: async (stage) => expect(isMeant(stage, await mentions(stage, { mention: 'other' }))).toBe(false),
  },
  {
    name: 'edited message becomes a notice',
    run: async (stage) => {
      await stage.start();
      const { event, id } = await stage.ask({ text: 'Helo' });
      await stage.fake.edit(id, 'Hello');
      await stage.until(() => stage.context.notices.length > 0, 'the notice');
      const [notice] = stage.context.notices;
      expect(notice).toMatchObject({ type: 'edited', platform_message_id: event.platform_message_id });
      expect(notice?.type === 'edited' && textIn(notice.message_chain)).toBe('Hello');
    },
  },
  {
    name: 'recalled message becomes a notice',
    run: async (stage) => {
      await stage.start();
      const { event, id } = await stage.ask();
      await stage.fake.recall(id);
      await stage.until(() => stage.context.notices.length > 0, 'the notice');
      const { platform_message_id } = event;
      expect(stage.context.notices).toEqual([{ type: 'recalled', platform_message_id }]);
    },
  },
  {
    name: 'new group becomes a notice',
    run: async (stage) => {
      await stage.start();
      await stage.fake.addBot();
      await stage.until(() => stage.context.notices.length > 0, 'the notice');
      expect(stage.context.notices[0]).toMatchObject({ type: 'bot_added' });
    },
  },
  {
    name: 'unknown kind is kept and logged once',
    run: async (stage) => {
      await stage.start();
      const { event } = await stage.ask({ kind: 'unknown' });
      expect(event.message_chain.some(({ type }) => type === 'Unknown')).toBe(true);
      const logged = stage.logs.length;
      expect(logged).toBeLessThanOrEqual(1);
      await stage.ask({ kind: 'unknown' });
      expect(stage.logs.length, 'entries after the second').toBe(logged);
    },
  },
  {
    name: 'message without content',
    run: async (stage) => {
      await stage.start();
      await stage.fake.deliver({ kind: 'empty' });
      await stage.ask({ text: 'And now' });
      expect(stage.messages.map(({ message_chain }) => textIn(message_chain)).filter(Boolean)).toEqual(['And now']);
    },
  },
  {
    name: 'message with wrong types does not stop others',
    run: async (stage) => {
      await stage.start();
      await stage.fake.deliver({ kind: 'malformed' });
      const { event } = await stage.ask({ text: 'And now' });
      expect(textIn(event.message_chain)).toBe('And now');
    },
  },
  {
    name: 'message nested a thousand times',
    run: async (stage) => {
      await stage.start();
      await stage.fake.deliver({ depth: 1000 });
      const { event } = await stage.ask({ text: 'And now' });
      expect(textIn(event.message_chain)).toBe('And now');
    },
  },
  {
    name: 'name with control characters',
    run: async (stage) => {
      await stage.start();
      const { event } = await stage.ask({ sender_name: 'A\u0000d\u202ea\n\u0007', text: 'Hello' });
      expect(event.sender_id).toBe(stage.fake.userId);
      expect(textIn(event.message_chain)).toBe('Hello');
    },
  },
  {
    name: 'timestamps in the past and in the future',
    run: async (stage) => {
      await stage.start();
      for (const hours of [-48, 48]) {
        const sent_at = new Date(Math.floor(stage.fake.now() / 1000) * 1000 + hours * 3_600_000);
        const { event } = await stage.ask({ sent_at });
        if (event.sent_at !== undefined) expect(event.sent_at).toBe(sent_at.toISOString());
      }
    },
  },
  {
    name: 'long text',
    run: async (stage) => {
      await stage.start();
      const text = '一段长文字 🦜 '.repeat(150).trim();
      const { event } = await stage.ask({ text });
      expect(textOfChain(event.message_chain)).toBe(text);
    },
  },
]);
