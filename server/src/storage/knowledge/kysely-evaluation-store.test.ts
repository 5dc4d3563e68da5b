import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { insertMeasuredBase } from '../../../test/stores/measured-base.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import type { Evaluation } from '../../core/knowledge/golden-question.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Storage } from '../storage.ts';
import { KyselyEvaluationStore } from './kysely-evaluation-store.ts';

const timestamp = '2026-01-01T00:00:00.000Z';

const running = (baseUuid: string, over: Partial<Evaluation> = {}): Evaluation => ({
  uuid: newUuid(),
  knowledge_base_uuid: baseUuid,
  collection_id: newUuid(),
  state: 'running',
  asked_by: 'request',
  model_uuid: null,
  figures: null,
  results: [],
  error: null,
  created_at: timestamp,
  finished_at: null,
  ...over,
});

const figures = {
  questions: 1,
  hit_at_1: 1,
  hit_at_5: 1,
  hit_at_10: 1,
  ndcg_at_10: 0.630929753571457,
  mrr: 1,
  citation_precision: null,
};
const result = {
  question_uuid: newUuid(),
  question: 'Q\0?',
  rank: 1,
  ndcg_at_10: 1,
  milliseconds: 3,
  error: null,
  found: [{ document_uuid: newUuid(), file_name: 'a.txt', page: null, is_expected: true }],
  answer: { text: 'A [1]', citations: 1, right_citations: 1, dropped_citations: 0 },
};

describeOnEachEngine('the store of evaluations', (storage) => {
  const store = () => new KyselyEvaluationStore(storage().database, storage().engine, storage().replica);

  it('returns an evaluation as stored, with its result', async () => {
    const [base, other] = [await insertMeasuredBase(storage()), await insertMeasuredBase(storage())];
    const begun = running(base, { model_uuid: newUuid(), asked_by: 'rebuild' });
    expect(await store().create(begun, 50)).toBe(true);
    expect(await store().byUuid(base, begun.uuid)).toEqual(begun);
    const ended: Evaluation = { ...begun, state: 'finished', figures, results: [result], finished_at: timestamp };
    expect(await store().end(ended)).toBe(true);
    expect(await store().byUuid(base, begun.uuid)).toEqual(ended);
    expect(await store().byUuid(other, begun.uuid)).toBeNull();
    const { results: _, ...summary } = ended;
    expect(await store().list(base)).toEqual([summary]);
    expect(await store().create(running(newUuid()), 50)).toBe(false);
  });

  it('lists the newest first, in pages', async () => {
    const base = await insertMeasuredBase(storage());
    const uuids: string[] = [];
    for (let day = 1; day <= 4; day += 1) {
      const evaluation = running(base, { created_at: day < 3 ? timestamp : `2026-01-0${day}T00:00:00.000Z` });
      await store().create(evaluation, 50);
      uuids.unshift(evaluation.uuid);
    }
    const first = await store().list(base, { limit: 3 });
    expect(first.map(({ uuid }) => uuid)).toEqual(uuids.slice(0, 3));
    expect((await store().list(base, { limit: 3, after: first[2] })).map(({ uuid }) => uuid)).toEqual(uuids.slice(3));
  });

  it('retains the newest of a base, running ones, and those a collection refers to', async () => {
    const [base, other] = [await insertMeasuredBase(storage()), await insertMeasuredBase(storage())];
    const elsewhere = running(other, { state: 'finished' });
    await store().create(elsewhere, 2);
    const made: Evaluation[] = [];
    for (let day = 1; day <= 6; day += 1) {
      const state = day === 1 ? 'running' : 'finished';
      made.push(running(base, { state, created_at: `2026-01-0${day}T00:00:00.000Z` }));
    }
    const named = made[1] as Evaluation;
    await storage()
      .database.insertInto('knowledge_collections')
      .values({
        collection_id: newUuid(),
        knowledge_base_uuid: base,
        knowledge_engine_plugin_id: 'parley/built-in',
        state: 'waiting',
        creation_settings: '{}',
        sealed_secrets: null,
        error: null,
        evaluation_uuid: named.uuid,
        created_at: timestamp,
        updated_at: timestamp,
      })
      .execute();
    for (const evaluation of made) await store().create(evaluation, 2);
    const retained = [made[5], made[4], named, made[0]].map((evaluation) => evaluation?.uuid);
    expect((await store().list(base)).map(({ uuid }) => uuid)).toEqual(retained);
    expect(await store().list(other)).toHaveLength(1);
  });

  const rows = () => storage().database.selectFrom('knowledge_evaluations').selectAll().orderBy('uuid').execute();

  it('ends running evaluations that no living replica works on', async () => {
    const base = await insertMeasuredBase(storage());
    const dead = await otherReplica(storage());
    const living = await otherReplica(storage());
    const storeOf = ({ database, engine, replica }: Storage) => new KyselyEvaluationStore(database, engine, replica);
    const [left, kept, mine] = [running(base), running(base), running(base)];
    const ended = running(base, { state: 'finished', finished_at: timestamp });
    await storeOf(dead).create(left, 50);
    await storeOf(living).create(kept, 50);
    for (const evaluation of [mine, ended]) await store().create(evaluation, 50);
    const before = await rows();
    await store().recover();
    expect(await rows()).toEqual(before);
    await takeOver(dead, store());
    expect(await store().byUuid(base, left.uuid)).toEqual({
      ...left,
      state: 'failed',
      error: 'interrupted by a restart',
      finished_at: expect.any(String),
    });
    for (const evaluation of [kept, mine, ended]) {
      expect(await store().byUuid(base, evaluation.uuid)).toEqual(evaluation);
    }
  });

  it('of another replica, and those that were taken over, are not changed', async () => {
    const base = await insertMeasuredBase(storage());
    const dead = await otherReplica(storage());
    const theirs = new KyselyEvaluationStore(dead.database, dead.engine, dead.replica);
    const evaluation = running(base);
    await theirs.create(evaluation, 50);
    const finished: Evaluation = {
      ...evaluation,
      state: 'finished',
      figures,
      results: [result],
      finished_at: timestamp,
    };
    const before = await rows();
    expect(await store().end(finished)).toBe(false);
    expect(await rows()).toEqual(before);
    await takeOver(dead, store());
    const after = await rows();
    expect(await theirs.end(finished)).toBe(false);
    expect(await rows()).toEqual(after);
    const gone = running(base);
    expect(await store().end(gone)).toBe(false);
  });
});
