import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent, plain } from '../../../test/stores/ledger-records.ts';
import { ledgerSteps, times } from '../../../test/stores/ledger-steps.ts';

describeOnEachEngine('the ledger', (storage) => {
  const { ledger, accept, claimed, answer, messageRows, conversationOf } = ledgerSteps(storage);

  it('returns a message as it was received', async () => {
    const event = messageEvent('Hello', {
      sent_at: '2026-01-01T00:00:00.000Z',
      facts: { group_name: 'Friends', sender_permission: 'OWNER' },
    });
    const receipt = await ledger().messages.accept(conversationKey(), event);
    expect(receipt).toEqual({
      outcome: 'accepted',
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      conversation_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sequence: 1,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(await claimed()).toEqual({
      ...conversationKey(),
      history_revision: 0,
      claim: 1,
      record_version: expect.any(Number),
      extension_version: expect.any(Number),
      uuid: receipt.uuid,
      conversation_uuid: (await conversationOf()).uuid,
      direction: 'inbound',
      platform_message_id: event.platform_message_id,
      reply_to: null,
      sequence: 1,
      sender_id: 'ada',
      sender_name: 'Ada',
      facts: { group_name: 'Friends', sender_permission: 'OWNER' },
      message_chain: plain('Hello'),
      text: 'Hello',
      state: 'processing',
      reason: null,
      merged_into: null,
      webhook_wait_until: null,
      model_uuid: null,
      attempts: 1,
      created_at: receipt.created_at,
      finished_at: null,
    });
  });

  it('knows no facts of a message that came without', async () => {
    await accept('Hello');
    expect((await claimed()).facts).toEqual({});
  });

  it('stores a message once when it is delivered twenty times at once', async () => {
    const event = messageEvent('Hello');
    const receipts = await times(20, () => ledger().messages.accept(conversationKey(), event));
    expect(receipts.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
    expect(new Set(receipts.map(({ uuid, sequence, created_at }) => `${uuid} ${sequence} ${created_at}`)).size).toBe(1);
    expect(await messageRows()).toHaveLength(1);
    expect(await ledger().messages.accept(conversationKey(), event)).toMatchObject({
      outcome: 'repeated',
      sequence: 1,
    });
  });

  it('knows a repeat after the conversation was reset', async () => {
    const event = messageEvent('Hello');
    const first = await ledger().messages.accept(conversationKey(), event);
    await ledger().conversations.endCurrent(conversationKey());
    expect(await ledger().messages.accept(conversationKey(), event)).toEqual({ ...first, outcome: 'repeated' });
  });

  it('tells the same identifier of two bots apart', async () => {
    const event = messageEvent('Hello');
    await ledger().messages.accept(conversationKey(), event);
    const other = await ledger().messages.accept(conversationKey({ bot_uuid: 'another' }), event);
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
      ...Array.from({ length: 10 }, () => ledger().deliveries.createOutgoing(conversationKey(), plain('news'), 'news')),
      ledger().deliveries.beginAnswer(message),
    ]);
    expect(new Set(receipts.map(({ sequence }) => sequence)).size).toBe(21);
    const places = (await messageRows()).map(({ sequence }) => sequence).sort((left, right) => left - right);
    expect(places).toEqual(Array.from({ length: 22 }, (_, index) => index + 1));
  });

  it('shows users everything but unfinished answers, up to a limit of the latest', async () => {
    await accept('one');
    await answer(await claimed(), 'two');
    await accept('three');
    await ledger().deliveries.beginAnswer(await claimed());
    const { uuid } = await conversationOf();
    const texts = async (limit: number) => (await ledger().history.shown(uuid, limit)).map(({ text }) => text);
    expect(await texts(10)).toEqual(['one', 'two', 'three']);
    expect(await texts(2)).toEqual(['two', 'three']);
  });

  it('starts a new conversation after one was ended', async () => {
    expect(await ledger().conversations.endCurrent(conversationKey())).toBe(false);
    await accept('one');
    const before = await conversationOf();
    expect(await ledger().conversations.endCurrent(conversationKey())).toBe(true);
    expect(await ledger().conversations.current(conversationKey())).toBeNull();
    const receipt = await accept('two');
    expect(receipt.sequence).toBe(1);
    const after = await conversationOf();
    expect(after.uuid).not.toBe(before.uuid);
    expect(after).toEqual({
      ...conversationKey(),
      uuid: after.uuid,
      last_sequence: 1,
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it('keeps one current conversation when messages and resets race', async () => {
    await times<unknown>(60, (index) =>
      index % 4 === 0 ? ledger().conversations.endCurrent(conversationKey()) : accept(`message ${index}`),
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
    const receipt = await ledger().messages.accept(conversationKey(over), messageEvent('two'));
    expect(receipt.sequence).toBe(1);
    await ledger().conversations.endCurrent(conversationKey(over));
    expect(await ledger().conversations.current(conversationKey())).not.toBeNull();
  });

  it.each([
    ['emoji and other scripts', '👩‍👩‍👧‍👦 你好 สวัสดี مرحبا', '👩‍👩‍👧‍👦 你好 สวัสดี مرحبا'],
    ['a long text', 'ä'.repeat(500_000), 'ä'.repeat(500_000)],
    ['NUL and half of a pair of surrogates', 'a\0b\ud800c', 'a\ufffdb\ufffdc'],
    ['quotes and backslashes', `'"\\;--\r\n\t`, `'"\\;--\r\n\t`],
  ])('keeps %s', async (_, text, stored) => {
    const event = messageEvent(text, { platform_message_id: `id ${text.slice(0, 100)}`, sender_name: text });
    const key = conversationKey({ session_id: text.slice(0, 100) });
    expect(await ledger().messages.accept(key, event)).toMatchObject({ outcome: 'accepted' });
    expect(await ledger().messages.accept(key, event)).toMatchObject({ outcome: 'repeated' });
    const message = await claimed();
    expect(message.text).toBe(stored);
    expect(message.sender_name).toBe(stored);
    expect(message.message_chain).toEqual(plain(text));
    expect(await ledger().conversations.current(key)).toMatchObject({ session_id: stored.slice(0, 100) });
  });

  it('stores message context as long as the message', async () => {
    const history = [{ role: 'user' as const, text: 'Hi\0', message_chain: plain('Hi\0') }];
    const context = { history, instructions: 'Be "brief"' };
    const { uuid } = await ledger().messages.accept(
      conversationKey(),
      messageEvent('one', { context, facts: { group_name: 'g' } }),
    );
    const { uuid: without } = await ledger().messages.accept(conversationKey(), messageEvent('two'));
    expect((await claimed()).facts).toEqual({ group_name: 'g', has_context: true });
    expect(await ledger().history.context(uuid)).toEqual(context);
    expect(await ledger().history.context(without)).toBeNull();
    await storage().database.deleteFrom('messages').where('uuid', '=', uuid).execute();
    expect(await ledger().history.context(uuid)).toBeNull();
  });

  it('stores nothing of a message when a part of it cannot be stored', async () => {
    await sql`alter table messages rename to elsewhere`.execute(storage().database);
    try {
      await expect(accept('one')).rejects.toThrow();
    } finally {
      await sql`alter table elsewhere rename to messages`.execute(storage().database);
    }
    expect(await ledger().conversations.current(conversationKey())).toBeNull();
    expect(await claimOne(ledger().messages, [])).toBeNull();
  });
});
