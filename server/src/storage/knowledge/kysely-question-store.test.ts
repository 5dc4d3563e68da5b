import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { insertMeasuredBase, insertMeasuredDocument } from '../../../test/stores/measured-base.ts';
import type { GoldenQuestion } from '../../core/knowledge/golden-question.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyQuestionStore } from './kysely-question-store.ts';

const timestamp = '2026-01-01T00:00:00.000Z';

const question = (baseUuid: string, over: Partial<GoldenQuestion> = {}): GoldenQuestion => ({
  uuid: newUuid(),
  knowledge_base_uuid: baseUuid,
  question: 'Wie viele Leben hat eine 猫?',
  expected: [{ document_uuid: newUuid(), quote: 'nine\0 lives', grade: 3 }],
  created_at: timestamp,
  updated_at: timestamp,
  ...over,
});

describeOnEachEngine('the store of golden questions', (storage) => {
  const store = () => new KyselyQuestionStore(storage().database, storage().engine);

  it('returns questions as stored, per base, in order and in pages', async () => {
    const [base, other] = [await insertMeasuredBase(storage()), await insertMeasuredBase(storage())];
    const questions = [question(base), question(base), question(base, { created_at: '2026-01-02T00:00:00.000Z' })];
    expect(await store().create(base, questions, 10)).toBe('created');
    expect(await store().create(other, [question(other)], 10)).toBe('created');
    expect(await store().list(base)).toEqual(questions);
    const first = await store().list(base, { limit: 2 });
    expect(first).toEqual(questions.slice(0, 2));
    expect(await store().list(base, { limit: 2, after: first[1] })).toEqual(questions.slice(2));
    const [{ uuid }] = questions as [GoldenQuestion];
    expect(await store().byUuid(uuid)).toEqual(questions[0]);
    expect(await store().byUuid(newUuid())).toBeNull();
  });

  it('keeps all of them or none, and none of a base that is not there', async () => {
    const base = await insertMeasuredBase(storage());
    expect(await store().create(base, [question(base), question(base)], 2)).toBe('created');
    expect(await store().create(base, [question(base)], 2)).toBe('limit_reached');
    expect(await store().list(base)).toHaveLength(2);
    const unknown = newUuid();
    expect(await store().create(unknown, [question(unknown)], 2)).toBe('not_found');
  });

  it('enforces the limit under concurrent requests', async () => {
    const base = await insertMeasuredBase(storage());
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => store().create(base, [question(base)], 3)));
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(3);
    expect(await store().list(base)).toHaveLength(3);
  });

  it('changes and deletes one in its base only', async () => {
    const [base, other] = [await insertMeasuredBase(storage()), await insertMeasuredBase(storage())];
    const stored = question(base);
    await store().create(base, [stored], 10);
    const changed = { ...stored, question: 'Another?', expected: [], updated_at: '2026-01-03T00:00:00.000Z' };
    expect(await store().update(other, stored.uuid, () => changed)).toBeNull();
    expect(await store().update(stored.knowledge_base_uuid, stored.uuid, () => changed)).toEqual(changed);
    expect(await store().byUuid(stored.uuid)).toEqual(changed);
    expect(await store().delete(other, stored.uuid)).toBe(false);
    expect(await store().delete(base, stored.uuid)).toBe(true);
    expect(await store().delete(base, stored.uuid)).toBe(false);
    expect(await store().update(stored.knowledge_base_uuid, stored.uuid, () => changed)).toBeNull();
  });

  it('finds documents of its base by any of their names', async () => {
    const [base, other] = [await insertMeasuredBase(storage()), await insertMeasuredBase(storage())];
    const [first, second, third] = [
      await insertMeasuredDocument(storage(), base, 'a.txt'),
      await insertMeasuredDocument(storage(), base, 'b.txt'),
      await insertMeasuredDocument(storage(), base, 'b.txt'),
    ];
    const elsewhere = await insertMeasuredDocument(storage(), other, 'a.txt');
    const found = async (names: Parameters<KyselyQuestionStore['documents']>[1]) =>
      (await store().documents(base, names)).map(({ uuid }) => uuid).sort();
    expect(await found({})).toEqual([]);
    expect(await found({ uuids: [first.uuid, elsewhere.uuid, newUuid()] })).toEqual([first.uuid]);
    expect(await found({ file_uuids: [second.file_uuid], uuids: [second.uuid] })).toEqual([second.uuid]);
    expect(await found({ file_names: ['b.txt', 'c.txt'] })).toEqual([second.uuid, third.uuid].sort());
    const many = Array.from({ length: 1200 }, (_, index) => `${index}.txt`);
    expect(await found({ file_names: [...many, 'a.txt'] })).toEqual([first.uuid]);
  });
});
