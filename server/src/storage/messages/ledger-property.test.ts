import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { answered, answerOf, partOf, sent } from '../../../test/stores/ledger-steps.ts';
import { runningLedger } from '../../../test/stores/threaded-ledger.ts';
import type { ClaimedMessage, Message } from '../../core/messages/message.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Ledger } from './open-ledger.ts';

const people = Array.from({ length: 20 }, (_, index) => `person ${String(index).padStart(2, '0')}`);

/** What is asked of the ledger about the conversation of a user. What does not apply is asked all the same. */
type Step =
  | { kind: 'accept'; person: number; id: number }
  | { kind: 'acceptAll'; people: number[]; id: number }
  | { kind: 'begin'; person: number }
  | { kind: 'finish'; person: number; parts: number; attempt: number; failed: boolean }
  | { kind: 'settle'; person: number; piece: number; end: 'sent' | 'failed' | 'stopped' }
  | { kind: 'settleDelivery'; person: number; piece: number }
  | { kind: 'release'; person: number; waits: boolean; isCounted: boolean }
  | { kind: 'count'; person: number; event: number; limit: number; window: number };

const person = fc.nat({ max: people.length - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('accept' as const), person, id: fc.nat({ max: 60 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('acceptAll' as const),
      people: fc.array(person, { maxLength: 4 }),
      id: fc.nat({ max: 60 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('begin' as const), person }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('finish' as const),
      person,
      parts: fc.integer({ min: 1, max: 2 }),
      attempt: fc.integer({ min: 1, max: 2 }),
      failed: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      person,
      piece: fc.nat({ max: 1 }),
      end: fc.constantFrom('sent' as const, 'failed' as const, 'stopped' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settleDelivery' as const), person, piece: fc.constant(0) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('release' as const),
      person,
      waits: fc.boolean(),
      isCounted: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('count' as const),
      person: fc.nat({ max: 3 }),
      event: fc.nat({ max: 9 }),
      limit: fc.nat({ max: 3 }),
      window: fc.nat({ max: 1 }),
    }),
  },
);

/**
 * Steps that are asked at once, and then how many messages are claimed: all or none, since which of those that are due at
 * the same time comes first is not defined.
 */
const rounds = fc.array(fc.record({ steps: fc.array(step, { maxLength: 25 }), claims: fc.constantFrom(0, 100) }), {
  minLength: 1,
  maxLength: 6,
});

describeOnEachEngine('operations of many conversations at once', (storage) => {
  /** Carries out steps with a ledger, in conversations of their own. @returns the answers, with names in place of uuids */
  async function play(
    ledger: Ledger,
    run: string,
    list: readonly Step[][],
    claims: readonly number[],
    atOnce: boolean,
  ) {
    const bot_uuid = `${run}-bot`;
    const names = new Map<string, string>();
    const claimed = new Map<string, ClaimedMessage>();
    const answers = new Map<string, Message>();
    const keyOf = (name: string) => conversationKey({ bot_uuid, session_id: name });
    const arrival = (name: string, id: number) => ({
      key: keyOf(name),
      event: messageEvent(`${name} \0 ${id}`, {
        platform_message_id: `${name} ${id}`,
        session_id: name,
        sender_id: name,
      }),
    });
    const unclaimed = (name: string): ClaimedMessage => {
      const none = { uuid: `${run} ${name} none`, claim: 1, conversation_uuid: 'none', ...keyOf(name) };
      // Of a message that is not stored, only this is looked at.
      return none as ClaimedMessage;
    };
    const ask = async (one: Step): Promise<unknown> => {
      if (one.kind === 'acceptAll') {
        const arrivals = one.people.map((index) => arrival(people[index] ?? '', one.id));
        return ledger.messages.acceptAll(arrivals);
      }
      const name = people[one.person] ?? '';
      const message = claimed.get(name) ?? unclaimed(name);
      const answer = answers.get(name);
      switch (one.kind) {
        case 'accept': {
          const { key, event } = arrival(name, one.id);
          return ledger.messages.accept(key, event);
        }
        case 'begin':
          return ledger.deliveries.beginAnswer(message);
        case 'finish': {
          const parts = Array.from({ length: one.parts }, (_, index) => `answer ${index} to ${message.text}`);
          const over = one.failed ? ({ state: 'failed' } as const) : {};
          const record = {
            trace: { attempt: one.attempt, gates: [] },
            model_calls: [callOf(`${run} ${message.text}`)],
          };
          const stored = await ledger.deliveries.finishAnswer(message, answerOf(parts, over), record);
          answers.set(name, stored.message);
          return stored;
        }
        case 'settle': {
          const outcome = one.end === 'stopped' ? ({ state: 'stopped', reason: 'ignored' } as const) : answered;
          const delivery = { ...sent, state: one.end === 'failed' ? 'failed' : 'sent' } as const;
          const ended = answer === undefined ? null : { uuid: answer.uuid, piece: one.piece, delivery };
          const record = { trace: { attempt: 1, gates: [] }, model_calls: [] };
          return ledger.messages.settle(message, outcome, {
            answer: one.end === 'stopped' ? null : ended,
            merged: [],
            record: answer === undefined ? record : null,
          });
        }
        case 'settleDelivery':
          return answer && ledger.deliveries.settleDelivery(partOf(answer.uuid, one.piece, message), sent);
        case 'release': {
          const wait = one.waits ? ({ until: '2099-01-01T00:00:00.000Z', reason: 'rate_limited' } as const) : null;
          return ledger.messages.release(message, wait, { isCounted: one.isCounted });
        }
        case 'count':
          return ledger.counter.countEvent(`${run} ${one.person}`, 1000 * one.window, one.limit, `event ${one.event}`);
      }
    };
    const results: unknown[] = [];
    for (const [index, steps] of list.entries()) {
      const outcomes = atOnce
        ? await Promise.allSettled(steps.map(ask))
        : await steps.reduce<Promise<PromiseSettledResult<unknown>[]>>(
            async (before, one) => [...(await before), ...(await Promise.allSettled([ask(one)]))],
            Promise.resolve([]),
          );
      results.push(
        outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason))),
      );
      const messages = await ledger.messages.claim({ except: [] }, claims[index] ?? 0);
      for (const message of messages) {
        claimed.set(message.session_id, message);
        answers.delete(message.session_id);
      }
      results.push(messages.map(({ session_id }) => session_id).sort());
    }
    return normalized(results, names);
  }

  /** Rows of a run in an order that does not depend on uuids. */
  async function rowsOf(run: string) {
    const { database } = storage();
    const bot = `${run}-bot`;
    const uuids = database.selectFrom('messages').select('uuid').where('bot_uuid', '=', bot);
    const names = new Map<string, string>();
    return normalized(
      {
        conversations: await database
          .selectFrom('conversations')
          .selectAll()
          .where('bot_uuid', '=', bot)
          .orderBy('session_id')
          .execute(),
        messages: (
          await database
            .selectFrom('messages')
            .innerJoin('conversations', 'conversations.uuid', 'messages.conversation_uuid')
            .selectAll('messages')
            .where('messages.bot_uuid', '=', bot)
            .orderBy('session_id')
            .orderBy('sequence')
            .execute()
        ).map(({ position: _, ...row }) => row),
        deliveries: await database
          .selectFrom('deliveries')
          .innerJoin('messages', 'messages.uuid', 'deliveries.message_uuid')
          .innerJoin('conversations', 'conversations.uuid', 'messages.conversation_uuid')
          .selectAll('deliveries')
          .where('messages.bot_uuid', '=', bot)
          .orderBy('session_id')
          .orderBy('sequence')
          .orderBy('piece')
          .execute(),
        traces: (await database.selectFrom('message_traces').selectAll().where('message_uuid', 'in', uuids).execute())
          .map(({ trace }) => trace)
          .sort(),
        calls: (
          await database.selectFrom('model_calls').select('model_name').where('message_uuid', 'in', uuids).execute()
        )
          .map(({ model_name }) => model_name)
          .sort(),
        queue: await database
          .selectFrom('queue')
          .innerJoin('conversations', 'conversations.uuid', 'queue.conversation_uuid')
          .select(['session_id', 'is_running'])
          .where('queue.bot_uuid', '=', bot)
          .orderBy('session_id')
          .execute(),
        counts: await database
          .selectFrom('event_counts')
          .selectAll()
          .where('key', 'like', `${run} %`)
          .orderBy('key')
          .execute(),
      },
      names,
    );
  }

  it('give the same rows and answers as one after the other', { timeout: 300_000 }, async () => {
    const ledger = await runningLedger(storage(), { webhookWaitMs: 0, mayTellWebhooks: () => false });
    await storage().database.deleteFrom('queue').execute();
    await fc.assert(
      fc.asyncProperty(rounds, async (list) => {
        const steps = list.map((round) => onePerConversation(round.steps));
        const claims = list.map((round) => round.claims);
        const played = async (atOnce: boolean) => {
          const run = newUuid();
          const results = await play(ledger, run, steps, claims, atOnce);
          const rows = await rowsOf(run);
          await storage().database.deleteFrom('queue').execute();
          return JSON.parse(JSON.stringify({ results, rows }).replaceAll(run, 'run'));
        };
        expect(await played(true)).toEqual(await played(false));
      }),
      { numRuns: 60 },
    );
  });
});

/** Which of two operations on a claimed message finds it claimed is the caller's matter: it asks for one at a time. */
function onePerConversation(steps: readonly Step[]): Step[] {
  const turns = new Set<number>();
  return steps.filter((one) => {
    if (one.kind === 'accept' || one.kind === 'acceptAll' || one.kind === 'count') return true;
    if (turns.has(one.person)) return false;
    turns.add(one.person);
    return true;
  });
}

function callOf(name: string) {
  return {
    uuid: newUuid(),
    model_uuid: null,
    model_name: name,
    started_at: '2026-01-01T00:00:00.000Z',
    milliseconds: 1,
    first_piece_milliseconds: null,
    input_tokens: 1,
    output_tokens: 1,
    cost: 0.5,
    reason: null,
    error: null,
  };
}

/** The same with a number for each uuid, and without times. */
function normalized(value: unknown, names: Map<string, string>): unknown {
  const text = JSON.stringify(value, (name, inner) => (/_at$/.test(name) && inner !== null ? 'time' : inner)) ?? 'null';
  return JSON.parse(
    text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}(?!-bot| )/g, (uuid) => {
      const known = names.get(uuid) ?? `uuid ${names.size + 1}`;
      names.set(uuid, known);
      return known;
    }),
  );
}
