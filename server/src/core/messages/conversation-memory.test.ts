import type { RunnerDelta } from '@parley/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  openProcessorFixture,
  type ProcessorFixture,
  type ProcessorSetting,
} from '../../../test/stores/processor-fixture.ts';
import { KyselyChatConversationStore } from '../../storage/conversations/kysely-chat-conversation-store.ts';
import { KyselyMessageRetention } from '../../storage/messages/kysely-message-retention.ts';
import { tokensOfTurn } from '../conversations/history-limits.ts';
import { ConversationMemory } from './conversation-memory.ts';
import type { ClaimedMessage, Message } from './message.ts';
import type { MessageHistory } from './message-history.ts';

/** A message of a conversation as its claim returns it. */
function claimOf(sequence: number, over: Partial<ClaimedMessage> = {}): ClaimedMessage {
  const text = over.text ?? `question ${sequence}`;
  return {
    uuid: `message-${sequence}`,
    conversation_uuid: 'one',
    sequence,
    attempts: 1,
    direction: 'inbound',
    text,
    message_chain: [{ type: 'Plain', text }],
    reply_to: null,
    history_revision: 0,
    record_version: 1,
    ...over,
    // The other fields are not read.
  } as ClaimedMessage;
}

const answerTo = ({ uuid }: Message, sequence: number, state: Message['state'] = 'finished') =>
  claimOf(sequence, { text: `answer ${sequence}`, reply_to: uuid, direction: 'outbound', state });

const said = { state: 'answered', reason: 'answered' } as const;

/** A memory over a store that has only what the test says. */
function openMemory(stored: () => Message[] = () => [], bytes?: number) {
  const reads: number[] = [];
  const before: MessageHistory['before'] = async (_uuid, sequence) => {
    reads.push(sequence);
    return stored();
  };
  const memory = new ConversationMemory({ before }, bytes);
  const texts = async (message: ClaimedMessage, rounds = 3) => {
    memory.see(message);
    return (await memory.before(message, rounds)).map(({ text }) => text);
  };
  /** Has a message answered. */
  const answered = async (message: ClaimedMessage, sequence: number) => {
    const history = await texts(message);
    memory.ended(message, said, answerTo(message, sequence));
    return history;
  };
  return { memory, reads, texts, answered };
}

describe('the memory of conversations', () => {
  it('reads a conversation once, and has its latest rounds', async () => {
    const { reads, answered } = openMemory();
    for (let sequence = 1; sequence < 12; sequence += 2) {
      const rounds = [sequence - 6, sequence - 4, sequence - 2].filter((place) => place > 0);
      const expected = rounds.flatMap((place) => [`question ${place}`, `answer ${place + 1}`]);
      expect(await answered(claimOf(sequence), sequence + 1)).toEqual(expected);
    }
    expect(reads).toEqual([1]);
  });

  it('has unsolicited messages before the first question only while there are fewer rounds than asked for', async () => {
    const news = claimOf(1, { text: 'news', direction: 'outbound', state: 'finished' });
    const { reads, answered, texts } = openMemory(() => [news]);
    await answered(claimOf(2), 3);
    expect((await answered(claimOf(4), 5))[0]).toBe('news');
    expect((await answered(claimOf(6), 7))[0]).toBe('news');
    expect((await texts(claimOf(8)))[0]).toBe('question 2');
    expect(reads).toEqual([2]);
  });

  it('has messages that waited in their order, though answers come behind them', async () => {
    const { reads, answered, texts } = openMemory();
    await answered(claimOf(1), 4);
    expect(await answered(claimOf(2), 5)).toEqual(['question 1', 'answer 4']);
    expect(await answered(claimOf(3), 6)).toEqual(['question 1', 'answer 4', 'question 2', 'answer 5']);
    expect((await texts(claimOf(7))).slice(-2)).toEqual(['question 3', 'answer 6']);
    expect(reads).toEqual([1]);
  });

  it('leaves out what ended otherwise', async () => {
    const { memory, reads, texts } = openMemory();
    for (const [sequence, outcome] of [
      [1, { state: 'stopped', reason: 'cancelled' }],
      [2, { state: 'answered', reason: 'command' }],
    ] as const) {
      await texts(claimOf(sequence));
      memory.ended(claimOf(sequence), outcome, null);
    }
    await texts(claimOf(3));
    const failed = { state: 'failed', reason: 'provider_failed' } as const;
    memory.ended(claimOf(3), failed, answerTo(claimOf(3), 4, 'failed'));
    expect(await texts(claimOf(5))).toEqual([]);
    expect(reads).toEqual([1]);
  });

  it('has what was shown of an answer that its user stopped', async () => {
    const { memory, reads, texts } = openMemory();
    await texts(claimOf(1));
    memory.ended(claimOf(1), { state: 'stopped', reason: 'answer_stopped' }, answerTo(claimOf(1), 2));
    expect(await texts(claimOf(3))).toEqual(['question 1', 'answer 2']);
    expect(reads).toEqual([1]);
  });

  it.each<[string, Partial<ClaimedMessage>, number]>([
    ['a message that it does not know is in between', { sequence: 4 }, 3],
    ['a message that had ended was changed', { history_revision: 1 }, 3],
    ['an earlier message is processed again', { sequence: 1, attempts: 2 }, 3],
    ['another number of rounds is asked for', {}, 4],
  ])('reads again when %s', async (_, over, rounds) => {
    const { reads, answered, texts } = openMemory();
    await answered(claimOf(1), 2);
    await texts(claimOf(over.sequence ?? 3, over), rounds);
    expect(reads).toHaveLength(2);
  });

  it.each<[string, (memory: ConversationMemory) => void]>([
    ['what was forgotten', (memory) => memory.forget('one')],
    ['all of it when another process may have worked', (memory) => memory.clear()],
    ['what an older claim of the message ended with', (memory) => memory.ended(claimOf(3), said, null)],
  ])('drops %s', async (_, drop) => {
    const { memory, reads, answered, texts } = openMemory();
    await answered(claimOf(1), 2);
    const again = claimOf(3, { attempts: 2 });
    memory.see(again);
    drop(memory);
    await texts(again);
    expect(reads).toHaveLength(2);
  });

  it('is bounded in bytes; the conversation that was used least recently goes first', async () => {
    const { reads, texts } = openMemory(() => [claimOf(1, { text: 'x'.repeat(1000) })], 20_000);
    const conversations = Array.from({ length: 6 }, (_, index) => String(index));
    for (const conversation_uuid of conversations) await texts(claimOf(2, { conversation_uuid }));
    expect(reads).toHaveLength(6);
    await texts(claimOf(2, { conversation_uuid: '5' }));
    expect(reads).toHaveLength(6);
    await texts(claimOf(2, { conversation_uuid: '0' }));
    expect(reads).toHaveLength(7);
  });

  it('estimates the tokens of a turn once', async () => {
    const { memory, answered } = openMemory();
    await answered(claimOf(1, { text: 'How long is the river' }), 2);
    memory.see(claimOf(3));
    const [first] = await memory.before(claimOf(3), 3);
    const [same] = await memory.before(claimOf(3), 3);
    expect(same).toBe(first);
    if (first === undefined) throw new Error('there is no history');
    expect(memory.tokensOf(first)).toBe(tokensOfTurn(first));
    expect(() => Object.assign(first, { text: 'changed' })).toThrow(TypeError);
  });
});

describe('a conversation in memory', () => {
  /** Processes a message as the dispatcher does. @returns the history that its runner received */
  const say = async (used: ProcessorFixture, text: string) => {
    const message = await used.received(text);
    used.memory.see(message);
    await used.processor.process(message, new AbortController().signal);
    return (used.requests.at(-1)?.history ?? []).map((turn) => turn.text);
  };

  it('is the one in the store after messages were changed and removed', async () => {
    const used = await openProcessorFixture({ says: [{ type: 'text', text: 'Hello \0 there' }] });
    const { database } = used.storage;
    await say(used, 'one');
    expect(await say(used, 'two')).toEqual(['one', 'Hello � there']);
    await database.updateTable('messages').set({ text: 'changed' }).where('text', '=', 'one').execute();
    expect((await say(used, 'three')).slice(0, 2)).toEqual(['changed', 'Hello � there']);
    const { created_at } = await database
      .selectFrom('messages')
      .select('created_at')
      .where('text', '=', 'two')
      .executeTakeFirstOrThrow();
    await new KyselyMessageRetention(database).removeBefore(created_at, 100);
    const history = await say(used, 'four');
    expect(history).not.toContain('changed');
    expect(history).toContain('three');
    await used.close();
  });

  it('is the one in the store, however messages end', async () => {
    const rounds = 3;
    const says: RunnerDelta[] = [
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
    ];
    let stopAt: number | null = null;
    let said = 0;
    const setting: ProcessorSetting = {
      says,
      rounds,
      before: () => {
        said += 1;
        if (said === stopAt) used.running.cancel(conversation, 'cancelled');
        if (stopAt === 0) throw new Error('The model fails');
      },
    };
    const used = await openProcessorFixture(setting);
    let conversation = '';
    let run = 0;
    const chats = new KyselyChatConversationStore(used.storage.database, 'sqlite');
    const fresh = async (sequence: number) =>
      (
        await new ConversationMemory(used.ledger.history).before({ conversation_uuid: conversation, sequence }, rounds)
      ).map(({ text }) => text);
    const kinds = fc.constantFrom<number | null>(null, 0, 1, 2, 3, 4);
    const step = fc.record({ stopAt: kinds, replaces: fc.option(fc.nat({ max: 5 }), { freq: 3 }) });
    let partial = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        run += 1;
        for (const [index, { stopAt: at, replaces }] of steps.entries()) {
          const place = { session_id: `run ${run}` };
          const replaced = replaces === null || index === 0 ? null : await questionAt(replaces % index);
          if (replaced !== null) await chats.replaceFrom(conversation, replaced, `${run} ${index}`);
          const message = await used.received(`question ${index}`, place, place);
          conversation = message.conversation_uuid;
          [stopAt, said] = [at, 0];
          used.memory.see(message);
          const expected = await fresh(message.sequence);
          await used.processor.process(message, new AbortController().signal);
          const history = used.requests.at(-1)?.history.map(({ text }) => text);
          expect(history).toEqual(expected);
          partial += expected.filter((text) => text === 'Hel').length;
        }
        async function questionAt(index: number) {
          const shown = await used.ledger.history.shown(conversation, 100);
          return shown.find(({ text }) => text === `question ${index}`)?.sequence ?? null;
        }
      }),
      { numRuns: 15 },
    );
    expect(partial).toBeGreaterThan(0);
    await used.close();
  });
});
