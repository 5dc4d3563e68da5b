import fc from 'fast-check';
import { Kysely } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { runsTried } from '../../../test/shared/looks-closely.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import type { Message, MessageState } from '../../core/messages/message.ts';
import type { MessageFilter, MessagePlace } from '../../core/messages/message-reader.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Tables } from '../database.ts';
import { StorableSqliteDialect } from '../dialects.ts';
import type { SqliteKysely } from '../sqlite-database.ts';
import type { SqliteWriter } from '../sqlite-writer.ts';
import type { Storage } from '../storage.ts';
import { MessageSearch, type SearchBounds } from './message-search.ts';

interface Key {
  bot_uuid: string;
  pipeline_uuid: string;
  session_type: 'person' | 'group';
  session_id: string;
}
type Conversation = Key & { uuid: string };

/** How a message reads. */
interface Text {
  direction: Message['direction'];
  state: MessageState;
  reason: Message['reason'];
  sender_id: string;
  text?: string;
  created_at: string;
}

/** A message as it is stored, with its search fields. */
type Row = Key & Text & MessagePlace & { conversation_uuid: string };

const start = Date.parse('2026-03-01T12:00:00.000Z');
const timestamp = (minutes: number) => new Date(start + minutes * 60_000).toISOString();

/** Every bound is met by the few messages of a test. */
const narrow: SearchBounds = { scan: 12, turn: 5, parallel: 2, sorted: 4, sortedMessages: 60, conversations: 9 };

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const bots = names('bot-', 3);
const pipelines = names('pipeline-', 3);
const sessions = names('session-', 4);
const reasons = ['answered', 'merged', 'ignored', 'provider_failed'];

/** Fills a ledger: conversations that start and end, messages with consistent states and reasons. */
class Ledger {
  readonly #storage: Storage;
  readonly rows: Row[] = [];
  readonly #lengths = new Map<string, number>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async conversation(over: Partial<Key> = {}): Promise<Conversation> {
    const conversation: Conversation = {
      uuid: newUuid(),
      bot_uuid: 'bot-0',
      pipeline_uuid: 'pipeline-0',
      session_type: 'person',
      session_id: 'session-0',
      ...over,
    };
    await this.#storage.database
      .insertInto('conversations')
      .values({
        ...conversation,
        thread_id: '',
        is_current: 0,
        last_sequence: 0,
        runner_state: null,
        created_at: timestamp(0),
        updated_at: timestamp(0),
      })
      .execute();
    return conversation;
  }

  /** Adds messages, in the given order, to their conversations. */
  async add(messages: readonly (Text & { conversation: Conversation })[]): Promise<void> {
    const { database } = this.#storage;
    const values = messages.map(({ conversation: { uuid, bot_uuid }, ...message }) => {
      const sequence = (this.#lengths.get(uuid) ?? 0) + 1;
      this.#lengths.set(uuid, sequence);
      return {
        ...message,
        uuid: newUuid(),
        bot_uuid,
        conversation_uuid: uuid,
        platform_message_id: null,
        reply_to: null,
        sequence,
        sender_name: '',
        message_chain: '[]',
        text: message.text ?? '',
        sent_at: null,
        facts: null,
        merged_into: null,
        attempts: 0,
        finished_at: null,
      };
    });
    const stored = await database
      .insertInto('messages')
      .values(values)
      .returning(['conversation_uuid', 'position'])
      .execute();
    for (const [index, { conversation_uuid, position }] of stored.entries()) {
      const { conversation, ...message } = messages[index] as (typeof messages)[number];
      const { uuid: _, ...key } = conversation;
      this.rows.push({ ...key, ...message, conversation_uuid, position });
    }
    for (const { conversation, created_at } of messages) {
      await database
        .updateTable('conversations')
        .set({ last_sequence: this.#lengths.get(conversation.uuid) ?? 0, updated_at: created_at })
        .where('uuid', '=', conversation.uuid)
        .execute();
    }
  }

  /** Positions of matching messages, newest first. */
  expected({ from, to, text, ...exact }: MessageFilter): number[] {
    return this.rows
      .filter((row) => text === undefined || (row.text ?? '').toLowerCase().includes(text.toLowerCase()))
      .filter((row) =>
        Object.entries(exact).every(([name, value]) => value === undefined || row[name as keyof Row] === value),
      )
      .filter(({ created_at }) => (from === undefined || created_at >= from) && (to === undefined || created_at < to))
      .sort((left, right) =>
        left.created_at < right.created_at
          ? 1
          : left.created_at > right.created_at
            ? -1
            : right.position - left.position,
      )
      .map(({ position }) => position);
  }
}

/** Reads page by page to the end. */
async function walk(search: MessageSearch, filter: MessageFilter, limit: number): Promise<number[]> {
  const positions: number[] = [];
  let after: MessagePlace | null = null;
  for (let pages = 0; pages < 500; pages += 1) {
    const { found, next } = await search.page(filter, limit, after);
    expect(found.length).toBeLessThanOrEqual(limit);
    positions.push(...found.map(({ position }) => position));
    if (next === null) return positions;
    after = next;
  }
  throw new Error('there is no end');
}

const conversationKeys = fc.record({
  bot_uuid: fc.constantFrom(...bots),
  pipeline_uuid: fc.constantFrom(...pipelines),
  session_type: fc.constantFrom('person' as const, 'group' as const),
  session_id: fc.constantFrom(...sessions),
});
const ends = fc.constantFrom(
  { direction: 'inbound', state: 'answered', reason: 'answered' } as const,
  { direction: 'inbound', state: 'stopped', reason: 'merged' } as const,
  { direction: 'inbound', state: 'stopped', reason: 'ignored' } as const,
  { direction: 'inbound', state: 'failed', reason: 'provider_failed' } as const,
  { direction: 'inbound', state: 'received', reason: null } as const,
  { direction: 'inbound', state: 'processing', reason: null } as const,
  { direction: 'outbound', state: 'writing', reason: null } as const,
  { direction: 'outbound', state: 'finished', reason: null } as const,
  { direction: 'outbound', state: 'failed', reason: null } as const,
);
const maybe = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const filters = fc.record({
  bot_uuid: maybe(...bots, 'unknown'),
  pipeline_uuid: maybe(...pipelines, 'none'),
  session_type: maybe('person' as const, 'group' as const),
  session_id: maybe(...sessions, 'none', "' or 1=1 --", '\0\ud800'),
  sender_id: maybe('ada', 'bob', 'unknown'),
  direction: maybe('inbound' as const, 'outbound' as const),
  state: maybe(
    ...(['received', 'processing', 'answered', 'stopped', 'failed', 'uncertain', 'writing', 'finished'] as const),
  ),
  reason: maybe(...reasons, 'quota'),
  text: maybe('HELLO', 'there', '%', 'e_e', '\\', "'", '\0\ud800'),
  from: maybe(...[-5, 3, 30, 5000].map(timestamp)),
  to: maybe(...[0, 10, 40, 6000].map(timestamp)),
});
const oneOrTwoFilters = filters.chain((filter) =>
  fc
    .shuffledSubarray(Object.keys(filter) as (keyof MessageFilter)[], { maxLength: 3 })
    .map((keys) => Object.fromEntries(keys.map((name) => [name, (filter as MessageFilter)[name]])) as MessageFilter),
);

describeOnEachEngine('the search through messages', (storage) => {
  let ledger: Ledger;
  beforeEach(() => {
    ledger = new Ledger(storage());
  });
  const defaults = () => new MessageSearch(storage().database);

  it.each([
    ['its default bounds', undefined],
    ['bounds that every page meets', narrow],
  ])('finds all that meets the filters once, newest first, page by page, with %s', async (_, bounds) => {
    // Several conversations are much longer than others, some start late, and timestamps repeat.
    const content = fc.sample(
      fc.array(
        fc.record({
          key: fc.nat(11),
          end: ends,
          sender_id: fc.constantFrom('ada', 'bob'),
          pace: fc.nat(2),
          text: fc.constantFrom('Hello there', 'hello', '100% \\ "e_e"', ''),
        }),
        { minLength: 150, maxLength: 150 },
      ),
      { numRuns: 1, seed: 7 },
    )[0] as {
      key: number;
      end: Pick<Row, 'direction' | 'state' | 'reason'>;
      sender_id: string;
      pace: number;
      text: string;
    }[];
    const keys = fc.sample(conversationKeys, { numRuns: 12, seed: 7 });
    const conversations: Conversation[] = [];
    for (const key of keys) conversations.push(await ledger.conversation(key));
    let minutes = 0;
    await ledger.add(
      content.map(({ key, end, sender_id, pace, text }, index) => {
        minutes += pace === 0 ? 0 : 1;
        const which = index < 50 ? key % 4 : key;
        return {
          ...end,
          sender_id,
          text,
          created_at: timestamp(minutes),
          conversation: conversations[which] as Conversation,
        };
      }),
    );
    const search = new MessageSearch(storage().database, bounds);
    const one = { conversation_uuid: conversations[3]?.uuid };
    for (const filter of [{}, one, { ...one, session_type: 'group' as const }, { ...one, reason: 'ignored' }]) {
      expect(await walk(search, filter, 7)).toEqual(ledger.expected(filter));
    }
    await fc.assert(
      fc.asyncProperty(fc.oneof(filters, oneOrTwoFilters), fc.integer({ min: 1, max: 60 }), async (filter, limit) => {
        expect(await walk(search, filter, limit)).toEqual(ledger.expected(filter));
      }),
      { numRuns: runsTried(150) },
    );
  });

  it('is not misled by messages that come while it is read', async () => {
    const conversation = await ledger.conversation();
    const message = {
      conversation,
      direction: 'inbound',
      state: 'stopped',
      reason: 'ignored',
      sender_id: 'ada',
    } as const;
    await ledger.add(Array.from({ length: 9 }, (_, index) => ({ ...message, created_at: timestamp(index) })));
    const before = ledger.expected({});
    const first = await defaults().page({}, 4, null);
    await ledger.add([timestamp(9), timestamp(10)].map((created_at) => ({ ...message, created_at })));
    const second = await defaults().page({}, 4, first.next);
    const third = await defaults().page({}, 4, second.next);
    expect([...first.found, ...second.found, ...third.found].map(({ position }) => position)).toEqual(before);
    expect(third.next).toBeNull();
  });

  it('has no page after one that is just full', async () => {
    const conversation = await ledger.conversation();
    const message = {
      conversation,
      direction: 'inbound',
      state: 'answered',
      reason: 'answered',
      sender_id: 'ada',
    } as const;
    await ledger.add(Array.from({ length: 4 }, (_, index) => ({ ...message, created_at: timestamp(index) })));
    for (const filter of [{}, { state: 'answered' as const }]) {
      expect(await defaults().page(filter, 4, null)).toMatchObject({ next: null, found: { length: 4 } });
    }
  });

  describe('among many that do not meet the filters', () => {
    const many = (conversation: Conversation, from: number, count: number) =>
      ledger.add(
        Array.from({ length: count }, (_, index) => ({
          conversation,
          direction: 'outbound' as const,
          state: 'finished' as const,
          reason: null,
          sender_id: 'bot-0',
          created_at: timestamp(from + index),
        })),
      );

    it('returns a page that is not full, with a cursor', async () => {
      const conversation = await ledger.conversation();
      await ledger.add([
        {
          conversation,
          direction: 'inbound',
          state: 'answered',
          reason: 'answered',
          sender_id: 'ada',
          created_at: timestamp(0),
        },
      ]);
      await many(conversation, 1, 30);
      const search = new MessageSearch(storage().database, narrow);
      const first = await search.page({ direction: 'inbound' }, 5, null);
      expect(first.found).toEqual([]);
      // Fifteen were scanned, in three turns of five.
      expect(first.next?.created_at).toBe(timestamp(16));
      expect(await walk(search, { direction: 'inbound' }, 5)).toEqual(ledger.expected({ direction: 'inbound' }));
    });

    it('skips to where the requested conversations ended', async () => {
      const former = [];
      for (let index = 0; index < 6; index += 1) {
        former.push(await ledger.conversation({ pipeline_uuid: 'former', session_id: `s${index}` }));
      }
      for (const [index, conversation] of former.entries()) await many(conversation, index, 2);
      await many(await ledger.conversation(), 10_000, 40);
      const search = new MessageSearch(storage().database, narrow);
      const { found, next } = await search.page({ pipeline_uuid: 'former' }, 5, null);
      expect(found.map(({ position }) => position)).toEqual(ledger.expected({ pipeline_uuid: 'former' }).slice(0, 5));
      expect(next).not.toBeNull();
      expect(await search.page({ pipeline_uuid: 'former', from: timestamp(5000) }, 5, null)).toEqual({
        found: [],
        next: null,
      });
    });

    it('takes a clock into account that was put back', async () => {
      const former = [];
      for (let index = 0; index < 6; index += 1) former.push(await ledger.conversation({ pipeline_uuid: 'former' }));
      // The last recorded activity of the conversation is before the time of its newest message.
      for (const conversation of former) await many(conversation, 100, 2);
      await storage()
        .database.updateTable('conversations')
        .set({ updated_at: timestamp(90) })
        .execute();
      await many(await ledger.conversation(), 10_000, 40);
      const search = new MessageSearch(storage().database, narrow);
      expect(await walk(search, { pipeline_uuid: 'former' }, 5)).toEqual(ledger.expected({ pipeline_uuid: 'former' }));
    });
  });
});

it('finds everything on SQLite by an index', async () => {
  const storage = await openTestStorage('sqlite');
  const database = storage.database as SqliteKysely;
  const statements = new Set<string>();
  const recording = new Kysely<Tables>({
    dialect: new StorableSqliteDialect({
      writer: {} as SqliteWriter,
      readCommitted: (statement, parameters) => {
        statements.add(statement);
        return database.readCommitted(statement, parameters);
      },
      close: () => undefined,
    }),
  });
  const ledger = new Ledger(storage);
  for (let index = 0; index < 6; index += 1) {
    const conversation = await ledger.conversation({ session_id: index < 5 ? 'many' : 'one' });
    await ledger.add(
      Array.from({ length: 6 }, (_, minute) => ({
        conversation,
        direction: 'inbound',
        state: 'stopped',
        reason: 'ignored',
        sender_id: 'ada',
        created_at: timestamp(index * 6 + minute),
      })) as Parameters<Ledger['add']>[0],
    );
  }
  const after = { created_at: timestamp(100), position: 1 };
  const single: MessageFilter[] = [
    {},
    { bot_uuid: 'bot-0' },
    { pipeline_uuid: 'pipeline-0' },
    { conversation_uuid: ledger.rows[0]?.conversation_uuid },
    { session_type: 'person' },
    { session_id: 'one' },
    { session_id: 'many' },
    { sender_id: 'ada' },
    { direction: 'inbound' },
    ...(['received', 'processing', 'answered', 'stopped', 'failed'] as const).map((state) => ({ state })),
    { reason: 'ignored' },
    { reason: 'answered' },
  ];
  const window = { from: timestamp(-1), to: timestamp(50) };
  for (const filter of single.flatMap((one) => [one, { ...one, ...window }, { ...one, state: 'failed' as const }])) {
    await new MessageSearch(recording, narrow).page(filter, 3, null);
    await new MessageSearch(recording, narrow).page(filter, 3, after);
    await new MessageSearch(recording).page(filter, 3, after);
  }
  expect(statements.size).toBeGreaterThan(50);
  for (const statement of statements) {
    const plan = database.readCommitted(`explain query plan ${statement}`, []) as { detail: string }[];
    const scans = plan.filter(({ detail }) => /^SCAN (messages|conversations|one)\b/.test(detail));
    // Reads on in the order of an index, or all waiting messages, which are few.
    const allowed = /USING (COVERING )?INDEX (messages_by_age|messages_waiting)$/;
    expect(
      scans.filter(({ detail }) => !allowed.test(detail)),
      statement,
    ).toEqual([]);
  }
  await storage.close();
});
