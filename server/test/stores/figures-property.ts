import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { measures } from '../../src/core/monitoring/measures.ts';
import type { SumKey, SumQuery } from '../../src/core/monitoring/monitoring-reader.ts';
import { sumUp } from '../../src/core/monitoring/rollup-keeper.ts';
import { now } from '../../src/lib/clock.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import { KyselyMessageRetention } from '../../src/storage/messages/kysely-message-retention.ts';
import { openLedger } from '../../src/storage/messages/open-ledger.ts';
import { KyselyEmbeddingCallStore } from '../../src/storage/monitoring/kysely-embedding-call-store.ts';
import { openMonitoring } from '../../src/storage/monitoring/open-monitoring.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { KyselyToolCallStore } from '../../src/storage/tools/kysely-tool-call-store.ts';
import { claimOne } from './claim-one.ts';
import { describeOnEachEngine } from './each-engine.ts';
import { conversationKey, messageEvent, plain } from './ledger-records.ts';
import { answered, answerOf, partOf, sent } from './ledger-steps.ts';
import { plainSums, recountLedger } from './recount-ledger.ts';

const hour = 3_600_000;
const begin = Date.parse('2026-05-01T20:00:00.000Z');
const uuidOf = (kind: string, number: number) => `00000000-0000-7000-8000-${kind}${String(number).padStart(11, '0')}`;
const some = fc.nat({ max: 2 });

/** What may happen to a ledger, one after the other. */
const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), minutes: fc.nat({ max: 400 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('receive' as const), bot: some, pipeline: some, person: some }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      end: fc.constantFrom('answered' as const, 'failed' as const, 'undelivered' as const, 'put back' as const),
      seconds: fc.nat({ max: 600 }),
      calls: fc.array(
        fc.record({
          model: some,
          input: fc.nat({ max: 5000 }),
          output: fc.nat({ max: 5000 }),
          millionths: fc.option(fc.nat({ max: 90_000 })),
          fails: fc.boolean(),
        }),
        { maxLength: 4 },
      ),
      tools: fc.array(fc.boolean(), { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('tell' as const), bot: some, arrives: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('embed' as const), model: some, fails: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), hours: fc.nat({ max: 30 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sum up' as const) }) },
);
type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

const window = fc.record({
  from: fc.option(fc.nat({ max: 80 * 60 }), { nil: undefined }),
  minutes: fc.option(fc.nat({ max: 60 * 60 }), { nil: undefined }),
  bots: fc.option(fc.uniqueArray(some, { minLength: 1 }), { nil: undefined }),
  pipelines: fc.option(fc.uniqueArray(some, { minLength: 1 }), { nil: undefined }),
  models: fc.option(fc.uniqueArray(some, { minLength: 1 }), { nil: undefined }),
  by: fc.constantFrom<SumKey>('nothing', 'hour', 'day', 'bot', 'pipeline', 'model'),
});

function queryOf({
  from,
  minutes,
  bots,
  pipelines,
  models,
  by,
}: typeof window extends fc.Arbitrary<infer V> ? V : never) {
  const timestamp = (offset: number) => new Date(begin + offset * 60_000).toISOString();
  const filter: SumQuery['filter'] = {
    from: from === undefined ? undefined : timestamp(from),
    to: minutes === undefined ? undefined : timestamp((from ?? 0) + minutes),
    bots: bots?.map((number) => uuidOf('b', number)),
    pipelines: pipelines?.map((number) => uuidOf('c', number)),
    models: models?.map((number) => `model-${number}`),
  };
  return { filter, measures, by } satisfies SumQuery;
}

/** Has things happen to a ledger. */
async function openLife(storage: Storage) {
  const { database } = storage;
  const ledger = await openLedger(storage);
  const tools = new KyselyToolCallStore(database, storage.engine, storage.replica);
  const embeddings = new KyselyEmbeddingCallStore(database);
  const retention = new KyselyMessageRetention(database);
  const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
  const failed = { state: 'failed' as const, reason: 'quota' as const, error: 'no', platform_message_id: null };

  const answer = async ({ end, seconds, calls, tools: results }: Extract<Happening, { kind: 'answer' }>) => {
    const message = await claimOne(ledger.messages, []);
    if (message === null) return;
    for (const succeeds of results) {
      const uuid = newUuid();
      const call = { uuid, message_uuid: message.uuid, tool_name: 'look_up', parameters: '{}', started_at: now() };
      await tools.begin(call, message.claim);
      pass(1000);
      const state = succeeds ? ('succeeded' as const) : ('failed' as const);
      await tools.end(uuid, { state, result: null, result_size: null, reason: null, error: null, milliseconds: 1 });
    }
    const started_at = now();
    pass(seconds * 1000);
    if (end === 'put back') return ledger.messages.release(message, null);
    const model_calls = calls.map(({ model, input, output, millionths, fails }) => ({
      uuid: newUuid(),
      model_uuid: null,
      model_name: `model-${model}`,
      started_at,
      milliseconds: seconds,
      first_piece_milliseconds: null,
      input_tokens: input,
      output_tokens: output,
      cost: millionths === null ? null : millionths / 1_000_000,
      reason: fails ? ('provider_failed' as const) : null,
      error: null,
    }));
    const record = { trace: { attempt: 1, gates: [] }, model_calls };
    if (end === 'failed') {
      const outcome = { state: 'failed', reason: 'provider_failed' } as const;
      return ledger.messages.settle(message, outcome, { answer: null, merged: [], record });
    }
    const { message: said } = await ledger.deliveries.finishAnswer(message, answerOf('Hello'), record);
    const delivery = end === 'undelivered' ? failed : sent;
    const outcome = end === 'undelivered' ? ({ state: 'failed', reason: 'quota' } as const) : answered;
    await ledger.messages.settle(message, outcome, {
      answer: { uuid: said.uuid, piece: 0, delivery },
      merged: [],
      record: null,
    });
  };

  return {
    /** Removes everything. */
    begin: async () => {
      for (const table of ['messages', 'conversations', 'embedding_calls', 'metadata'] as const) {
        await database.deleteFrom(table).execute();
      }
      for (const table of ['monitoring_rollups', 'monitoring_marks'] as const) {
        await database.deleteFrom(table).execute();
      }
    },
    happen: async (one: Happening): Promise<unknown> => {
      pass(10);
      switch (one.kind) {
        case 'pass':
          return pass(one.minutes * 60_000);
        case 'receive': {
          const session_id = `person-${one.person}`;
          const route = { bot_uuid: uuidOf('b', one.bot), pipeline_uuid: uuidOf('c', one.pipeline) };
          return ledger.messages.accept(conversationKey({ ...route, session_id }), messageEvent('Hi', { session_id }));
        }
        case 'answer':
          return answer(one);
        case 'tell': {
          const news = await ledger.deliveries.createOutgoing(
            conversationKey({ bot_uuid: uuidOf('b', one.bot) }),
            plain('n'),
            'n',
          );
          return ledger.deliveries.settleDelivery(
            partOf(news.uuid, 0, news),
            one.arrives ? sent : { ...failed, state: 'uncertain' },
          );
        }
        case 'embed':
          return embeddings.record({
            model_uuid: null,
            model_name: `model-${one.model}`,
            started_at: now(),
            milliseconds: 5,
            prompt_tokens: 7,
            total_tokens: 7,
            input_count: 1,
            reason: one.fails ? 'provider_failed' : null,
            error: null,
            knowledge_base_uuid: null,
            plugin_id: null,
            query_text: null,
            session_id: null,
            message_uuid: null,
            call_type: 'embedding',
          });
        case 'forget': {
          const timestamp = new Date(Date.now() - one.hours * hour).toISOString();
          await embeddings.removeBefore(timestamp, 10);
          return retention.removeBefore(timestamp, 10);
        }
        case 'sum up':
          return;
      }
    },
  };
}

/** Registers the test that figures are what is in the ledger. @param runs how many ledgers are tried on each engine */
export function figuresProperty(runs: number): void {
  describeOnEachEngine('figures', (storage) => {
    afterEach(() => {
      vi.useRealTimers();
    });

    it('are what is in the ledger, whatever happens to it', async () => {
      const { database } = storage();
      const monitoring = await openMonitoring(storage());
      const life = await openLife(storage());
      try {
        await fc.assert(
          fc
            .asyncProperty(
              fc.array(happening, { minLength: 10, maxLength: 40 }),
              fc.array(window, { minLength: 3, maxLength: 8 }),
              async (happenings, windows) => {
                await life.begin();
                const check = async (query: SumQuery) =>
                  expect(plainSums(await monitoring.reader.sums(query))).toEqual(
                    plainSums(await recountLedger(database, query)),
                  );
                for (const [index, one] of happenings.entries()) {
                  if (one.kind === 'sum up') await sumUp(monitoring.rollups, Date.now());
                  else await life.happen(one);
                  const query = windows[index % windows.length];
                  if (query !== undefined) await check(queryOf(query));
                }
                vi.setSystemTime(Date.now() + 48 * hour);
                await sumUp(monitoring.rollups, Date.now());
                // Marks of hours that were passed over are looked at the next time.
                await sumUp(monitoring.rollups, Date.now());
                // While nothing was ever summed up, since all of it was forgotten first, there is nothing to sum up anew.
                const isSummedUp = (await monitoring.rollups.until()) !== null;
                const marks = await database.selectFrom('monitoring_marks').selectAll().execute();
                if (isSummedUp) expect(marks).toEqual([]);
                for (const query of windows) await check(queryOf(query));
              },
            )
            .beforeEach(() => {
              vi.useFakeTimers({ toFake: ['Date'], now: begin });
            }),
          { numRuns: runs },
        );
      } finally {
        await monitoring.reader.close();
      }
    }, 300_000);
  });
}
