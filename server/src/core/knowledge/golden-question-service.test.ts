import { ParleyError } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertMeasuredBase, insertMeasuredDocument } from '../../../test/stores/measured-base.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyQuestionStore } from '../../storage/knowledge/kysely-question-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { GoldenQuestionService } from './golden-question-service.ts';
import type { NamedDocument } from './golden-question-store.ts';
import type { KnowledgeBaseView } from './knowledge-base.ts';

describe('golden questions', () => {
  let storage: Storage;
  let service: GoldenQuestionService;
  let base: string;
  let guide: NamedDocument;
  beforeEach(async () => {
    storage = await openTestStorage('sqlite');
    base = await insertMeasuredBase(storage);
    guide = await insertMeasuredDocument(storage, base, 'guide.md');
    service = new GoldenQuestionService(new KyselyQuestionStore(storage.database, storage.engine), {
      get: async (uuid) => {
        if (uuid !== base) throw new ParleyError('not_found', 'knowledge base not found');
        return { uuid } as KnowledgeBaseView;
      },
    });
  });
  afterEach(() => storage.close());

  const faults = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ParleyError);
    const { reason, details } = error as ParleyError;
    return { reason, paths: details?.map(({ path }) => path) };
  };

  it.each<[string, () => object]>([
    ['its uuid', () => ({ document_uuid: guide.uuid.toUpperCase() })],
    ['its upload', () => ({ file_id: guide.file_uuid })],
    ['its name', () => ({ file_name: 'guide.md' })],
    ['its uuid, whatever else is said', () => ({ document_uuid: guide.uuid, file_name: null })],
  ])('expect a document that is named by %s', async (_, named) => {
    const [made] = await service.create(base, { question: 'How?', expected: [named()] });
    expect(made).toMatchObject({
      knowledge_base_uuid: base,
      question: 'How?',
      expected: [{ document_uuid: guide.uuid, file_name: 'guide.md', quote: null, grade: 1 }],
    });
    expect(await service.list(base)).toEqual([made]);
    expect(await service.get(base, made?.uuid.toUpperCase() ?? '')).toEqual(made);
  });

  it('are written all or not at all, and each fault is named', async () => {
    await insertMeasuredDocument(storage, base, 'twin.md');
    await insertMeasuredDocument(storage, base, 'twin.md');
    const elsewhere = await insertMeasuredDocument(storage, await insertMeasuredBase(storage), 'other.md');
    const questions = [
      { question: 'Right?', expected: [{ document_uuid: guide.uuid }] },
      { question: 'Wrong?', expected: [{ document_uuid: guide.uuid }, { document_uuid: elsewhere.uuid }] },
      { question: 'Wrong?', expected: [{ file_id: 'a/b' }] },
      { question: 'Wrong?', expected: [{ file_name: 'other.md' }, { file_name: 'twin.md' }, {}] },
    ];
    expect(await faults(service.create(base, { questions }))).toEqual({
      reason: 'invalid_request',
      paths: [
        'questions[1].expected[1].document_uuid',
        'questions[2].expected[0].file_id',
        'questions[3].expected[0].file_name',
        'questions[3].expected[1].file_name',
        'questions[3].expected[2].document_uuid',
      ],
    });
    expect(await service.list(base)).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['no fields', {}, ['question', 'expected']],
    ['no expectation', { question: 'Q' }, ['expected']],
    ['both forms', { question: 'Q', questions: [] }, ['questions']],
  ])('are not written from %s', async (_, request, paths) => {
    expect(await faults(service.create(base, request))).toEqual({ reason: 'invalid_request', paths });
  });

  it('keep a document that is gone when they are written back, and show that it is', async () => {
    const [made] = await service.create(base, {
      question: 'How?',
      expected: [{ file_name: 'guide.md', quote: ' a ' }],
    });
    await storage.database.deleteFrom('knowledge_documents').execute();
    const { expected } = await service.get(base, made?.uuid ?? '');
    expect(expected).toEqual([{ document_uuid: guide.uuid, file_name: null, quote: ' a ', grade: 1 }]);
    const { record: changed } = await service.update(base, made?.uuid ?? '', { question: 'Who?', expected });
    expect(changed).toMatchObject({ question: 'Who?', expected });
    const stranger = [{ document_uuid: newUuid() }];
    expect(await faults(service.update(base, made?.uuid ?? '', { expected: stranger }))).toEqual({
      reason: 'invalid_request',
      paths: ['expected[0].document_uuid'],
    });
  });

  it('are changed in the given fields, and not found in other bases', async () => {
    const [made] = await service.create(base, { question: 'How?', expected: [{ file_name: 'guide.md', grade: 3 }] });
    const uuid = made?.uuid ?? '';
    expect((await service.update(base, uuid, { question: 'Who?' })).record).toMatchObject({
      question: 'Who?',
      expected: made?.expected,
    });
    for (const [baseUuid, question] of [
      [newUuid(), uuid],
      [base, newUuid()],
      [base, 'x'],
    ] as const) {
      expect((await faults(service.get(baseUuid, question))).reason).toBe('not_found');
      expect((await faults(service.update(baseUuid, question, {}))).reason).toBe('not_found');
      expect((await faults(service.delete(baseUuid, question))).reason).toBe('not_found');
    }
    await service.delete(base, uuid);
    expect(await service.list(base)).toEqual([]);
  });

  it('are at most a thousand', async () => {
    const questions = Array.from({ length: 500 }, () => ({
      question: 'How?',
      expected: [{ document_uuid: guide.uuid }],
    }));
    for (let turn = 0; turn < 2; turn += 1) await service.create(base, { questions });
    expect((await faults(service.create(base, { questions: questions.slice(0, 1) }))).reason).toBe('limit_reached');
  });

  it('are stored even with a lone surrogate or a NUL', async () => {
    const request = { question: 'a\0\ud800', expected: [{ document_uuid: guide.uuid, quote: 'b\0\ud800' }] };
    const [made] = await service.create(base, request);
    expect(made).toMatchObject({ question: 'a\ufffd\ufffd', expected: [{ quote: 'b\ufffd\ufffd' }] });
  });
});
