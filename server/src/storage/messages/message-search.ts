import { setImmediate as turn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { MessageFilter, MessagePlace } from '../../core/messages/message-reader.ts';
import type { Database } from '../database.ts';

type Condition = RawBuilder<unknown>;
type FilterName = Exclude<keyof MessageFilter, 'text' | 'from' | 'to'>;

/** The part of the ledger that is looked through. */
interface Window {
  /** Before this place; null for no end. */
  before: MessagePlace | null;
  from: string | undefined;
}

/** A way to messages that does not lead past others. */
interface Source {
  /** The filters that all of its messages meet. */
  meets: readonly FilterName[];
  /** A query of positions: at least the newest `count` in the window. */
  candidates(window: Window, count: number): RawBuilder<unknown>;
  /** Number of messages it yields; exact only up to the scan limit. */
  size(window: Window): Promise<number>;
  /** It leads to all of its messages at once, so it is only good for few. */
  isUnordered?: true;
}

/** How much is read for one page, at most. */
export interface SearchBounds {
  /** Messages to scan. */
  scan: number;
  /** Messages, or conversations, to scan in one turn of the event loop. */
  turn: number;
  /** Conversations that are read in parallel, whatever their length. */
  parallel: number;
  /** Conversations that are sorted together, and messages of them. */
  sorted: number;
  sortedMessages: number;
  /** Conversations to scan to determine whether they ended before. */
  conversations: number;
}

/** A page takes some 20 milliseconds with these, and a turn of the event loop 5. */
const defaultBounds: SearchBounds = {
  scan: 2000,
  turn: 500,
  parallel: 16,
  sorted: 1000,
  sortedMessages: 50_000,
  conversations: 10_000,
};
/** How much earlier than the message before it a message may be, because a clock was put right; milliseconds. */
const clockCorrection = 3_600_000;

const messageFilters = ['bot_uuid', 'conversation_uuid', 'sender_id', 'direction', 'state', 'reason'] as const;
const conversationFilters = ['pipeline_uuid', 'session_type', 'session_id'] as const;
const sessionTypes = ['person', 'group'] as const;
/** Sort columns of conversations of one type. */
const placesOfConversations = ['pipeline_uuid', 'bot_uuid', 'uuid'] as const;
type ConversationPlace = (typeof placesOfConversations)[number];
/** Filters that all messages of a chosen conversation match. */
const ofConversation: readonly FilterName[] = ['bot_uuid', ...conversationFilters];

/** The states that most messages end in; the partial index excludes them with the same text. */
const rareStates = ['stopped', 'failed', 'uncertain', 'writing'];
const isRare = sql`state in ('stopped', 'failed', 'uncertain', 'writing')`;
const unfinishedStates = ['received', 'processing'];
const statesOf = {
  inbound: ['received', 'processing', 'answered', 'stopped', 'failed', 'uncertain'],
  outbound: ['writing', 'finished', 'failed'],
};
const isUnfinished = sql`state in ('received', 'processing')`;

/** A conversation to search. */
interface ChosenConversation {
  uuid: string;
  last_sequence: number;
}

/**
 * Finds a page of messages. Of the filters that have an index, the most selective one is followed. The other filters
 * are applied to the messages that it yields, of which a limited number is scanned for one page.
 */
export class MessageSearch {
  readonly #database: Database;
  readonly #bounds: SearchBounds;

  constructor(database: Database, bounds: SearchBounds = defaultBounds) {
    this.#database = database;
    this.#bounds = bounds;
  }

  /** @returns the places of a page, newest first, and where to continue; null when there are no more */
  async page(
    filter: MessageFilter,
    limit: number,
    after: MessagePlace | null,
  ): Promise<{ found: MessagePlace[]; next: MessagePlace | null }> {
    if (isContradiction(filter)) return { found: [], next: null };
    const window = windowOf(filter, after);
    const conversations = await this.#conversations(filter);
    if (conversations?.length === 0) return { found: [], next: null };
    const source = await this.#source(filter, window, conversations);
    const open = openFilters(filter, source);
    const chunk = open.length === 0 && filter.text === undefined ? limit + 1 : this.#bounds.turn;
    const found: MessagePlace[] = [];
    let mayLeap = open.some(isOfConversation);
    for (let seen = 0; ; ) {
      const rows = await this.#look(source, window, open, filter, chunk);
      found.push(...rows.filter(({ matches }) => matches === 1).map(placeOf));
      if (found.length > limit) return { found: found.slice(0, limit), next: found[limit - 1] ?? null };
      const last = rows.at(-1);
      if (last === undefined || rows.length < chunk) return { found, next: null };
      window.before = placeOf(last);
      if (mayLeap && found.length === 0) {
        // The conversations may have ended long ago.
        window.before = await this.#latest(filter, window.before);
        if (window.before === null) return { found, next: null };
        mayLeap = false;
      }
      seen += rows.length;
      if (seen >= this.#bounds.scan) return { found, next: window.before };
      await turn();
    }
  }

  /** The source that leads to the fewest messages. */
  async #source(
    filter: MessageFilter,
    window: Window,
    conversations: readonly ChosenConversation[] | null,
  ): Promise<Source> {
    const sources = this.#sources(filter, conversations);
    const [first] = sources;
    if (sources.length === 1 && first !== undefined && !first.isUnordered) return first;
    let best: Source = this.#indexed([], []);
    let least = Number.POSITIVE_INFINITY;
    for (const source of sources) {
      const size = await source.size(window);
      if (size < least && (size <= this.#bounds.scan || !source.isUnordered)) [best, least] = [source, size];
    }
    return best;
  }

  /** The sources that the filters allow; where many messages meet each of the filters, the first of them is best. */
  #sources(filter: MessageFilter, conversations: readonly ChosenConversation[] | null): Source[] {
    const { conversation_uuid, reason, state, sender_id, bot_uuid } = filter;
    const sources: Source[] = [];
    if (conversation_uuid !== undefined) {
      sources.push(this.#indexed(['conversation_uuid'], [sql`conversation_uuid = ${conversation_uuid}`]));
    }
    if (conversations !== null) {
      const messages = conversations.reduce((sum, { last_sequence }) => sum + last_sequence, 0);
      if (conversations.length <= this.#bounds.parallel) sources.push(this.#parallel(conversations, messages));
      else if (conversations.length <= this.#bounds.sorted && messages <= this.#bounds.sortedMessages) {
        sources.push(this.#sorted(filter, messages));
      }
    }
    if (reason !== undefined && reason !== 'answered') {
      sources.push(this.#indexed(['reason'], [sql`reason = ${reason}`, sql`reason != 'answered'`]));
    }
    if (state !== undefined && rareStates.includes(state)) {
      sources.push(this.#indexed(['state'], [sql`state = ${state}`, isRare]));
    }
    if (state !== undefined && unfinishedStates.includes(state)) sources.push(this.#unfinished());
    if (sender_id !== undefined) sources.push(this.#indexed(['sender_id'], [sql`sender_id = ${sender_id}`]));
    if (bot_uuid !== undefined) sources.push(this.#indexed(['bot_uuid'], [sql`bot_uuid = ${bot_uuid}`]));
    return sources;
  }

  /** Messages of an index in order of time. */
  #indexed(meets: readonly FilterName[], conditions: readonly Condition[]): Source {
    return {
      meets,
      candidates: (window, count) => sql`
        select position from messages where ${all([...conditions, ...within(window)])}
        order by created_at desc, position desc limit ${count}`,
      size: (window) => this.#count(all([...conditions, ...within(window)])),
    };
  }

  /** Messages that wait or are worked on, which are few. */
  #unfinished(): Source {
    return {
      meets: [],
      candidates: () => sql`select position from messages where ${isUnfinished} limit ${this.#bounds.scan}`,
      size: () => this.#count(isUnfinished),
      isUnordered: true,
    };
  }

  /** The messages of few conversations, each in their order. */
  #parallel(conversations: readonly ChosenConversation[], messages: number): Source {
    return {
      meets: ofConversation,
      candidates: (window, count) =>
        sql.join(
          conversations.map(({ uuid }) => {
            const one = this.#indexed([], [sql`conversation_uuid = ${uuid}`]);
            return sql`select position from (${one.candidates(window, count)}) as newest`;
          }),
          sql` union all `,
        ),
      size: async () => messages,
    };
  }

  /** The messages of conversations that are short. */
  #sorted(filter: MessageFilter, messages: number): Source {
    const chosen = sql`conversation_uuid in (select uuid from conversations where ${chosenBy(filter)})`;
    return { ...this.#indexed(ofConversation, [chosen]), size: async () => messages };
  }

  /** Reads the newest messages of a source, and whether they match the remaining filters. */
  async #look(source: Source, window: Window, open: readonly FilterName[], filter: MessageFilter, count: number) {
    const conditions = open.map((name) => {
      const table = isOfConversation(name) ? 'conversations' : 'messages';
      return sql`${sql.ref(`${table}.${name}`)} = ${filter[name]}`;
    });
    if (filter.text !== undefined) conditions.push(holds(filter.text));
    // The kinds of joins prevent an engine from starting with anything but the candidates.
    const join = sql`left join conversations on conversations.uuid = messages.conversation_uuid`;
    const { rows } = await sql<MessagePlace & { matches: number }>`
        select messages.created_at, messages.position, case when ${all(conditions)} then 1 else 0 end as matches
        from (${source.candidates(window, count)}) as candidates
        cross join messages ${open.some(isOfConversation) ? join : sql``}
        where ${all([sql`messages.position = candidates.position`, ...within(window)])}
        order by messages.created_at desc, messages.position desc limit ${count}`.execute(this.#database);
    return rows;
  }

  /**
   * A place after which the chosen conversations have no messages; null when there are none before the window. If there
   * are too many conversations to scan, the place itself.
   */
  async #latest(filter: MessageFilter, before: MessagePlace): Promise<MessagePlace | null> {
    const window = { before, from: filter.from };
    let latest = '';
    let left = this.#bounds.conversations;
    for (const session_type of filter.session_type === undefined ? sessionTypes : [filter.session_type]) {
      const chosen = { ...filter, session_type };
      // The remaining filters, in the order of the index.
      const order = placesOfConversations.filter((name) => name === 'uuid' || chosen[name] === undefined);
      for (let after: string[] | null = order.map(() => ''); after !== null; ) {
        const rows = await this.#latestOf(chosen, window, order, after);
        for (const row of rows) if (row.latest !== null && row.latest > latest) latest = row.latest;
        const last = rows.at(-1);
        left -= rows.length;
        after = last === undefined || rows.length < this.#bounds.turn ? null : order.map((name) => last[name]);
        if (after !== null && left <= 0) return before;
        await turn();
      }
    }
    if (latest === '') return null;
    const created_at = new Date(Date.parse(latest) + clockCorrection).toISOString();
    return created_at < before.created_at ? { created_at, position: 0 } : before;
  }

  /** When the next conversations after a place in their index last had a message in the window, or before it. */
  async #latestOf(
    filter: MessageFilter,
    window: Window,
    order: readonly ConversationPlace[],
    after: readonly string[],
  ) {
    const columns = sql.join(order.map((name) => sql.ref(name)));
    // Conversations that continued at the end of the window have to be read.
    const { rows } = await sql<Record<ConversationPlace, string> & { latest: string | null }>`
        select pipeline_uuid, bot_uuid, uuid, case when updated_at < ${window.before?.created_at} then updated_at else (
          select one.created_at from messages as one
          where ${all([sql`one.conversation_uuid = chosen.uuid`, ...within(window, 'one')])}
          order by one.created_at desc limit 1
        ) end as latest
        from (
          select pipeline_uuid, bot_uuid, uuid, updated_at from conversations
          where ${chosenBy(filter)} and (${columns}) > (${sql.join(after)})
          order by ${columns} limit ${this.#bounds.turn}
        ) as chosen order by ${columns}`.execute(this.#database);
    return rows;
  }

  async #count(condition: Condition): Promise<number> {
    const size = sql<{ size: number }>`
      select cast(count(*) as integer) as size
      from (select 1 from messages where ${condition} limit ${this.#bounds.scan + 1}) as found`;
    const { rows } = await size.execute(this.#database);
    return rows[0]?.size ?? 0;
  }

  /** The conversations that are searched for, one more than are sorted at most; null when all are. */
  async #conversations(filter: MessageFilter): Promise<ChosenConversation[] | null> {
    if (conversationFilters.every((name) => filter[name] === undefined)) return null;
    const chosen = sql<ChosenConversation>`
      select uuid, last_sequence from conversations where ${chosenBy(filter)} limit ${this.#bounds.sorted + 1}`;
    return (await chosen.execute(this.#database)).rows;
  }
}

function isOfConversation(name: FilterName): boolean {
  return (conversationFilters as readonly FilterName[]).includes(name);
}

/** Filters that exclude each other need not be searched for, even if many messages match each of them. */
function isContradiction({ direction, state, reason }: MessageFilter): boolean {
  // Only inbound messages have a reason, and `answered` is the one of those that were answered.
  if (reason !== undefined && direction === 'outbound') return true;
  if (reason !== undefined && state !== undefined && (reason === 'answered') !== (state === 'answered')) return true;
  return direction !== undefined && state !== undefined && !statesOf[direction].includes(state);
}

function openFilters(filter: MessageFilter, { meets }: Source): FilterName[] {
  return [...messageFilters, ...conversationFilters].filter(
    (name) => filter[name] !== undefined && !meets.includes(name),
  );
}

function chosenBy({ bot_uuid, pipeline_uuid, session_type, session_id }: MessageFilter): Condition {
  const exact = { session_type, pipeline_uuid, session_id, bot_uuid };
  const conditions = Object.entries(exact)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  // The index over pipelines starts with the type.
  if (session_type === undefined && session_id === undefined)
    conditions.unshift(sql`session_type in ('person', 'group')`);
  return all(conditions);
}

/** Whether messages hold a text. SQLite knows of large and small only in A to Z, so both sides are left to the engine. */
function holds(text: string): Condition {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`lower(messages.text) like lower(${pattern}) escape '\\'`;
}

function windowOf({ from, to }: MessageFilter, after: MessagePlace | null): Window {
  if (to === undefined || (after !== null && after.created_at < to)) return { before: after, from };
  // Before the first message of that time.
  return { before: { created_at: to, position: 0 }, from };
}

function within({ before, from }: Window, table = 'messages'): Condition[] {
  const [createdAt, position] = [sql.ref(`${table}.created_at`), sql.ref(`${table}.position`)];
  return [
    ...(before === null ? [] : [sql`(${createdAt}, ${position}) < (${before.created_at}, ${before.position})`]),
    ...(from === undefined ? [] : [sql`${createdAt} >= ${from}`]),
  ];
}

function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
}

function placeOf({ created_at, position }: MessagePlace): MessagePlace {
  return { created_at, position };
}
