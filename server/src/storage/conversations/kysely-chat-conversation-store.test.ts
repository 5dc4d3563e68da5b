import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { KyselyChatConversationStore } from './kysely-chat-conversation-store.ts';

/** Conversations of one user; each has a question. */
const count = 10_000;
const timestamp = '2026-01-01T00:00:00.000Z';

describeOnEachEngine('conversations of the chat', (storage) => {
  let chats: KyselyChatConversationStore;
  const query = { bots: ['bot'], person_id: 'ada', search: '', after: null, limit: 30 };

  beforeEach(async () => {
    const { database, engine } = storage();
    chats = new KyselyChatConversationStore(database, engine);
    const numbers =
      engine === 'sqlite'
        ? sql`(with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${sql.lit(count)})
            select number from numbers) as numbers`
        : sql`generate_series(1, ${sql.lit(count)}) as number`;
    await sql`insert into conversations
      (uuid, bot_uuid, pipeline_uuid, session_type, session_id, thread_id, is_current, last_sequence, created_at, updated_at)
      select 'c-' || number, 'bot', 'pipeline', 'person', 'ada', 'chat-' || number, 1, 1, ${timestamp}, ${timestamp}
      from ${numbers}`.execute(database);
    await sql`insert into messages
      (uuid, bot_uuid, conversation_uuid, direction, sequence, sender_id, sender_name, message_chain, text, state, created_at)
      select 'm-' || number, 'bot', 'c-' || number, 'inbound', 1, 'ada', 'Ada', '[]', 'Question ' || number, 'answered',
        ${timestamp} from ${numbers}`.execute(database);
  });

  it('are read in pages, each once, also when there are many', { timeout: 60_000 }, async () => {
    const seen = new Set<string>();
    let after = null;
    for (let page = 0; page < 5; page += 1) {
      const begun = performance.now();
      const { conversations, next } = await chats.list({ ...query, after, limit: 100 });
      // Far more than it takes: machines that run tests are busy.
      expect(performance.now() - begun).toBeLessThan(1000);
      for (const { uuid } of conversations) seen.add(uuid);
      after = next;
    }
    expect(seen.size).toBe(500);
    expect(await chats.list({ ...query, person_id: 'bob' })).toEqual({ conversations: [], next: null });
    expect(await chats.find('c-1', ['bot'], 'bob')).toBeNull();
    expect(await chats.find('c-1', [], 'ada')).toBeNull();
    expect(await chats.find('c-1', ['bot'], 'ada')).toMatchObject({ first_text: 'Question 1', title: null });
  });

  it('are searched in bounded steps, with a place to continue from', { timeout: 60_000 }, async () => {
    await chats.rename('c-9', 'ÄRGER 100%');
    const found: string[] = [];
    let after = null;
    let requests = 0;
    do {
      const page: Awaited<ReturnType<typeof chats.list>> = await chats.list({ ...query, search: 'ärger 100%', after });
      found.push(...page.conversations.map(({ uuid }) => uuid));
      after = page.next;
      requests += 1;
    } while (after !== null);
    expect(found).toEqual(['c-9']);
    expect(requests).toBe(5);
    const { conversations } = await chats.list({ ...query, search: 'QUESTION 77' });
    expect(conversations.every(({ first_text }) => first_text.startsWith('Question 77'))).toBe(true);
  });

  it('lose a range of messages to its replacement only', async () => {
    expect(await chats.question('c-1', null)).toMatchObject({ uuid: 'm-1', sequence: 1, sender_id: 'ada' });
    expect(await chats.question('c-1', 'm-2')).toBeNull();
    const range = { first_sequence: 1, last_sequence: 1 };
    expect(await Promise.all([chats.replaceFrom('c-1', 1, 'new'), chats.replaceFrom('c-1', 1, 'new')])).toEqual([
      range,
      range,
    ]);
    expect(await chats.replaceFrom('c-1', 1, 'other')).toBeNull();
    expect(await chats.replaced('c-1')).toEqual([range]);
    expect(await chats.replaced('c-2')).toEqual([]);
  });
});
