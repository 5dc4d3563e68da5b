import type { MessageReceipt } from '@parley/sdk';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent, plain } from '../../../test/stores/ledger-records.ts';
import type { Message } from '../../core/messages/message.ts';
import type { DeliveryOutcome } from '../../core/messages/message-store.ts';
import { KyselyMessageStore } from './kysely-message-store.ts';

const answered = { state: 'answered', reason: 'answered' } as const;
const sent: DeliveryOutcome = { state: 'sent', reason: null, error: null };
const times = <Result>(count: number, make: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describeOnEachEngine('the ledger', (storage) => {
  const store = () => new KyselyMessageStore(storage().database, storage().engine);
  const accept = (text: string, session = 'ada') =>
    store().accept(conversationKey({ session_id: session }), messageEvent(text, { session_id: session }));
  const claimed = async () => {
    const message = await store().claim([]);
    if (message === null) throw new Error('nothing was waiting');
    return message;
  };
  const answer = async (message: Message, text: string) => {
    const { uuid } = await store().beginAnswer(message);
    await store().finishAnswer(uuid, plain(text), text, 'finished');
    await store().settle(message.uuid, answered, { uuid, delivery: sent });
    return uuid;
  };
  const deliveries = async () => {
    const rows = await storage().database.selectFrom('deliveries').select(['message_uuid', 'state']).execute();
    return new Map(rows.map((row) => [row.message_uuid, row.state]));
  };
  const messageRows = () =>
    storage().database.selectFrom('messages').select(['uuid', 'sequence', 'state']).orderBy('sequence').execute();
  const conversationOf = async (session = 'ada') => {
    const conversation = await store().currentConversation(conversationKey({ session_id: session }));
    if (conversation === null) throw new Error('there is no conversation');
    return conversation;
  };
  const textsBefore = async (sequence: number, rounds: number) =>
    (await store().history((await conversationOf()).uuid, sequence, rounds)).map(({ text }) => text);

  it('gives a message back as it came', async () => {
    const event = messageEvent('Hello', { sent_at: '2026-01-01T00:00:00.000Z' });
    const receipt = await store().accept(conversationKey(), event);
    expect(receipt).toEqual({
      outcome: 'accepted',
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      conversation_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sequence: 1,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(await claimed()).toEqual({
      ...conversationKey(),
      uuid: receipt.uuid,
      conversation_uuid: (await conversationOf()).uuid,
      direction: 'inbound',
      platform_message_id: event.platform_message_id,
      reply_to: null,
      sequence: 1,
      sender_id: 'ada',
      sender_name: 'Ada',
      message_chain: plain('Hello'),
      text: 'Hello',
      state: 'processing',
      reason: null,
      created_at: receipt.created_at,
      finished_at: null,
    });
  });

  it('stores a message once when it is delivered twenty times at once', async () => {
    const event = messageEvent('Hello');
    const receipts = await times(20, () => store().accept(conversationKey(), event));
    expect(receipts.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
    expect(new Set(receipts.map(({ uuid, sequence, created_at }) => `${uuid} ${sequence} ${created_at}`)).size).toBe(1);
    expect(await messageRows()).toHaveLength(1);
    expect(await store().accept(conversationKey(), event)).toMatchObject({ outcome: 'repeated', sequence: 1 });
  });

  it('knows a repeat after the conversation was reset', async () => {
    const event = messageEvent('Hello');
    const first = await store().accept(conversationKey(), event);
    await store().endConversation(conversationKey());
    expect(await store().accept(conversationKey(), event)).toEqual({ ...first, outcome: 'repeated' });
  });

  it('tells the same identifier of two bots apart', async () => {
    const event = messageEvent('Hello');
    await store().accept(conversationKey(), event);
    const other = await store().accept(conversationKey({ bot_uuid: 'another' }), event);
    expect(other.outcome).toBe('accepted');
  });

  it('numbers a hundred messages at once without gaps or doubles', async () => {
    const receipts = await times(100, (index) => accept(`message ${index}`));
    const sequences = receipts.map(({ sequence }) => sequence).sort((left, right) => left - right);
    expect(sequences).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    const conversations = await storage().database.selectFrom('conversations').select('last_sequence').execute();
    expect(conversations).toEqual([{ last_sequence: 100 }]);
  });

  it('numbers answers and unasked messages in the same row', async () => {
    await accept('one');
    const message = await claimed();
    const receipts = await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => accept(`more ${index}`)),
      ...Array.from({ length: 10 }, () => store().createOutgoing(conversationKey(), plain('news'), 'news')),
      store().beginAnswer(message),
    ]);
    expect(new Set(receipts.map(({ sequence }) => sequence)).size).toBe(21);
    expect((await messageRows()).map(({ sequence }) => sequence)).toEqual(Array.from({ length: 22 }, (_, i) => i + 1));
  });

  it('hands out the oldest message first, one at a time per conversation, others beside it', async () => {
    for (const text of ['a1', 'b1', 'a2', 'b2']) await accept(text, text[0]);
    const [first, second] = [await claimed(), await claimed()];
    expect([first.text, second.text]).toEqual(['a1', 'b1']);
    expect(await store().claim([])).toBeNull();
    await store().settle(second.uuid, answered, null);
    expect((await claimed()).text).toBe('b2');
    expect(await store().claim([])).toBeNull();
    await store().settle(first.uuid, { state: 'stopped', reason: 'no_pipeline' }, null);
    expect((await claimed()).text).toBe('a2');
  });

  it('hands a message to one of many who ask at once, and never two of one conversation', async () => {
    for (const session of ['ada', 'bob', 'eve']) {
      for (let index = 0; index < 5; index += 1) await accept(`${session} ${index}`, session);
    }
    const messages = (await times(30, () => store().claim([]))).filter((message) => message !== null);
    expect(messages.map(({ text }) => text).sort()).toEqual(['ada 0', 'bob 0', 'eve 0']);
  });

  it('leaves messages of held bots where they are', async () => {
    const [held, other] = ['00000000-0000-7000-8000-00000000b001', '00000000-0000-7000-8000-00000000b002'];
    const acceptFor = (bot_uuid: string, text: string) =>
      store().accept(conversationKey({ bot_uuid, session_id: text }), messageEvent(text));
    await acceptFor(held, 'held');
    await acceptFor(other, 'other');
    await acceptFor(held, 'held, too');
    expect((await store().claim([held]))?.text).toBe('other');
    expect(await store().claim([held])).toBeNull();
    expect(await store().claim([other, held])).toBeNull();
    expect((await store().claim([other]))?.text).toBe('held');
    expect((await claimed()).text).toBe('held, too');
  });

  it('finds what waits without reading the whole ledger', async () => {
    await accept('one');
    const first = await claimed();
    await store().settle(first.uuid, answered, null);
    // A long past: the same message over and over again.
    await sql`insert into messages
      (uuid, bot_uuid, conversation_uuid, direction, sequence, sender_id, sender_name, message_chain, text, state, created_at)
      with recursive numbers(number) as (select 2 union all select number + 1 from numbers where number < 30000)
      select 'uuid-' || number, bot_uuid, conversation_uuid, direction, number, sender_id, sender_name, message_chain,
        text, state, created_at
      from numbers cross join messages`.execute(storage().database);
    const fastest = async (work: () => Promise<unknown>) => {
      const runs: number[] = [];
      for (let run = 0; run < 5; run += 1) {
        const begin = performance.now();
        await work();
        runs.push(performance.now() - begin);
      }
      return Math.min(...runs);
    };
    const whole = await fastest(() =>
      sql`select count(*) from messages where text like '%nothing%'`.execute(storage().database),
    );
    expect(await fastest(() => store().claim([]))).toBeLessThan(whole / 2);
    expect(await fastest(() => store().recover())).toBeLessThan(whole);
  });

  it('takes a released message up again, before those that came later', async () => {
    await accept('one');
    await accept('two');
    await store().release((await claimed()).uuid);
    expect((await claimed()).text).toBe('one');
  });

  it('does not put a settled message back', async () => {
    await accept('one');
    const message = await claimed();
    await store().settle(message.uuid, answered, null);
    await store().release(message.uuid);
    expect(await store().claim([])).toBeNull();
  });

  it('begins an answer once, however often it is asked to', async () => {
    await accept('one');
    const message = await claimed();
    const first = await store().beginAnswer(message);
    expect(first).toMatchObject({ direction: 'outbound', reply_to: message.uuid, sequence: 2, state: 'writing' });
    expect(await store().beginAnswer(message)).toEqual(first);
    expect(await deliveries()).toEqual(new Map([[first.uuid, 'pending']]));
    expect(await messageRows()).toHaveLength(2);
  });

  it('ends message and delivery together', async () => {
    await accept('one');
    const message = await claimed();
    const { uuid } = await store().beginAnswer(message);
    await store().finishAnswer(uuid, plain('Hi'), 'Hi', 'finished');
    expect((await deliveries()).get(uuid)).toBe('sending');
    const delivery: DeliveryOutcome = { state: 'failed', reason: 'unknown_target', error: 'gone' };
    await store().settle(message.uuid, { state: 'failed', reason: 'unknown_target' }, { uuid, delivery });
    expect(await storage().database.selectFrom('deliveries').selectAll().executeTakeFirst()).toMatchObject(delivery);
    const [question, reply] = await store().conversationMessages(message.conversation_uuid, 10);
    expect(question).toMatchObject({ state: 'failed', reason: 'unknown_target', finished_at: expect.any(String) });
    expect(reply).toMatchObject({ state: 'finished', text: 'Hi', message_chain: plain('Hi') });
  });

  it('removes an answer that was begun when the message ends without one', async () => {
    await accept('one');
    const message = await claimed();
    await store().beginAnswer(message);
    await store().settle(message.uuid, answered, null);
    expect((await messageRows()).map(({ state }) => state)).toEqual(['answered']);
    expect((await deliveries()).size).toBe(0);
  });

  it('keeps an answer that is complete when its message ends in a fault', async () => {
    await accept('one');
    const message = await claimed();
    const { uuid } = await store().beginAnswer(message);
    await store().finishAnswer(uuid, plain('Hi'), 'Hi', 'finished');
    await store().settle(message.uuid, { state: 'failed', reason: 'internal' }, null);
    expect((await messageRows()).map(({ state }) => state)).toEqual(['failed', 'finished']);
  });

  it('takes stock after a crash', async () => {
    for (const text of ['half', 'whole', 'failed', 'done', 'waiting']) await accept(text, text);
    const [half, whole, failed, done] = [await claimed(), await claimed(), await claimed(), await claimed()];
    const writing = await store().beginAnswer(half);
    const complete = await store().beginAnswer(whole);
    await store().finishAnswer(complete.uuid, plain('Hi'), 'Hi', 'finished');
    const notice = await store().beginAnswer(failed);
    await store().finishAnswer(notice.uuid, plain('No'), 'No', 'failed');
    const settled = await answer(done, 'Bye');
    const outgoing = await store().createOutgoing(conversationKey(), plain('news'), 'news');

    expect(await store().recover()).toEqual({ messages: 1, deliveries: 3 });
    expect(await deliveries()).toEqual(
      new Map([
        [writing.uuid, 'pending'],
        [complete.uuid, 'uncertain'],
        [notice.uuid, 'uncertain'],
        [settled, 'sent'],
        [outgoing.uuid, 'uncertain'],
      ]),
    );
    const inbound = storage().database.selectFrom('messages').where('direction', '=', 'inbound');
    expect(await inbound.select(['text', 'state']).orderBy('position').execute()).toEqual([
      { text: 'half', state: 'received' },
      { text: 'whole', state: 'answered' },
      { text: 'failed', state: 'failed' },
      { text: 'done', state: 'answered' },
      { text: 'waiting', state: 'received' },
    ]);
    expect((await claimed()).text).toBe('half');
    expect((await claimed()).text).toBe('waiting');
    expect(await store().beginAnswer(half)).toEqual(writing);
    expect(await store().recover()).toEqual({ messages: 2, deliveries: 0 });
  });

  it('shows the model answered questions with their answers, up to a number of rounds', async () => {
    for (const number of [1, 2, 3]) {
      await accept(`question ${number}`);
      await answer(await claimed(), `answer ${number}`);
    }
    await accept('unheard');
    await store().settle((await claimed()).uuid, { state: 'stopped', reason: 'no_pipeline' }, null);
    await accept('failed');
    const failed = await claimed();
    const { uuid } = await store().beginAnswer(failed);
    await store().finishAnswer(uuid, plain('Request failed.'), 'Request failed.', 'failed');
    await store().settle(failed.uuid, { state: 'failed', reason: 'provider_failed' }, { uuid, delivery: sent });
    const { sequence } = await accept('now');

    expect(await textsBefore(sequence, 2)).toEqual(['question 2', 'answer 2', 'question 3', 'answer 3']);
    expect(await textsBefore(sequence, 10)).toHaveLength(6);
    expect(await textsBefore(1, 10)).toEqual([]);
  });

  it('puts an answer after its question, although more was asked before it was written', async () => {
    const receipts: MessageReceipt[] = [];
    for (const text of ['one', 'two', 'three']) receipts.push(await accept(text));
    await answer(await claimed(), 'answer to one');
    await answer(await claimed(), 'answer to two');
    const { sequence } = receipts[2] as MessageReceipt;
    expect(await textsBefore(sequence, 10)).toEqual(['one', 'answer to one', 'two', 'answer to two']);
    expect(await textsBefore(sequence, 1)).toEqual(['two', 'answer to two']);
  });

  it('shows the model what was sent unasked before the message', async () => {
    await store().createOutgoing(conversationKey(), plain('Shall I?'), 'Shall I?');
    const { sequence } = await accept('Yes');
    await store().createOutgoing(conversationKey(), plain('later'), 'later');
    expect(await textsBefore(sequence, 10)).toEqual(['Shall I?']);
  });

  it('shows people everything but what is being written, the latest when there is much', async () => {
    await accept('one');
    await answer(await claimed(), 'two');
    await accept('three');
    await store().beginAnswer(await claimed());
    const { uuid } = await conversationOf();
    const texts = async (limit: number) => (await store().conversationMessages(uuid, limit)).map(({ text }) => text);
    expect(await texts(10)).toEqual(['one', 'two', 'three']);
    expect(await texts(2)).toEqual(['two', 'three']);
  });

  it('begins anew after a conversation was ended', async () => {
    expect(await store().endConversation(conversationKey())).toBe(false);
    await accept('one');
    const before = await conversationOf();
    expect(await store().endConversation(conversationKey())).toBe(true);
    expect(await store().currentConversation(conversationKey())).toBeNull();
    const receipt = await accept('two');
    expect(receipt.sequence).toBe(1);
    const after = await conversationOf();
    expect(after.uuid).not.toBe(before.uuid);
    expect(after).toMatchObject(conversationKey());
    expect(await textsBefore(1, 10)).toEqual([]);
  });

  it('keeps one current conversation when messages and resets race', async () => {
    await times<unknown>(60, (index) =>
      index % 4 === 0 ? store().endConversation(conversationKey()) : accept(`message ${index}`),
    );
    const rows = await storage()
      .database.selectFrom('messages')
      .select(['conversation_uuid', 'sequence'])
      .orderBy('conversation_uuid')
      .orderBy('sequence')
      .execute();
    expect(rows).toHaveLength(45);
    const next = new Map<string, number>();
    for (const { conversation_uuid, sequence } of rows) {
      expect(sequence).toBe((next.get(conversation_uuid) ?? 0) + 1);
      next.set(conversation_uuid, sequence);
    }
    const current = await storage()
      .database.selectFrom('conversations')
      .where('is_current', '=', 1)
      .selectAll()
      .execute();
    expect(current.length).toBeLessThanOrEqual(1);
  });

  it.each<[string, Parameters<typeof conversationKey>[0]]>([
    ['bot', { bot_uuid: 'another' }],
    ['pipeline', { pipeline_uuid: '' }],
    ['kind', { session_type: 'group' }],
    ['person', { session_id: 'bob' }],
    ['thread', { thread_id: 'topic' }],
  ])('keeps conversations apart that differ in their %s', async (_, over) => {
    await accept('one');
    const receipt = await store().accept(conversationKey(over), messageEvent('two'));
    expect(receipt.sequence).toBe(1);
    await store().endConversation(conversationKey(over));
    expect(await store().currentConversation(conversationKey())).not.toBeNull();
  });

  it.each([
    ['emoji and other scripts', '👩‍👩‍👧‍👦 你好 สวัสดี مرحبا', '👩‍👩‍👧‍👦 你好 สวัสดี مرحبا'],
    ['a long text', 'ä'.repeat(500_000), 'ä'.repeat(500_000)],
    ['NUL and half of a pair of surrogates', 'a\0b\ud800c', 'a\ufffdb\ufffdc'],
    ['quotes and backslashes', `'"\\;--\r\n\t`, `'"\\;--\r\n\t`],
  ])('keeps %s', async (_, text, kept) => {
    const event = messageEvent(text, { platform_message_id: `id ${text.slice(0, 100)}`, sender_name: text });
    const key = conversationKey({ session_id: text.slice(0, 100) });
    expect(await store().accept(key, event)).toMatchObject({ outcome: 'accepted' });
    expect(await store().accept(key, event)).toMatchObject({ outcome: 'repeated' });
    const message = await claimed();
    expect(message.text).toBe(kept);
    expect(message.sender_name).toBe(kept);
    expect(message.message_chain).toEqual(plain(text));
    expect(await store().currentConversation(key)).toMatchObject({ session_id: kept.slice(0, 100) });
  });
});
