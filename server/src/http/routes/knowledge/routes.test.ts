import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { basesUrl, KnowledgeClient } from '../../../../test/factories/knowledge-client.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService();
const client = new KnowledgeClient(service, (await service.createApiKey(['read', 'write'])).key);
const unknown = '00000000-0000-7000-8000-000000000000';
const patience = { timeout: 30_000 };
const text = '# Cats\n\nA cat has nine lives.\n\n# Dogs\n\nA dog has one life.';
let base: string;

beforeEach(async () => {
  base = await client.createBase();
});
afterAll(() => service.stop());

/** The latest entries of the audit log of a kind. */
async function audited(record_kind: string, record_id: string) {
  const url = `/api/v1/audit?record_kind=${record_kind}&record_id=${record_id}`;
  const { body } = await service.request({ url, bearer: service.account.token });
  return body.data.entries.map(({ action, before, after }: Record<string, unknown>) => ({ action, before, after }));
}
const uuidOf = (url: string) => url.split('/').at(-1) ?? '';

it('is for keys that reach it: reading and retrieving with one that reads, all else with one that writes', async () => {
  const { key } = await service.createApiKey(['read']);
  const reader = new KnowledgeClient(service, key);
  expect((await reader.send('GET', base)).status).toBe(200);
  expect((await reader.send('POST', `${base}/retrieve`, { query: 'x' })).status).toBe(200);
  for (const [method, url] of [
    ['POST', basesUrl],
    ['PUT', base],
    ['DELETE', base],
    ['POST', `${base}/files`],
    ['POST', `${base}/collections`],
    ['POST', `${base}/questions`],
    ['POST', `${base}/evaluations`],
  ] as const) {
    expect(await reader.refused(method, url, {})).toEqual([403, 'scope_required', undefined]);
  }
});

describe('a knowledge base', () => {
  it('is made, changed and deleted on record, by what was sent', async () => {
    await client.ok('PUT', base, { description: 'new' });
    await client.ok('DELETE', base);
    expect(await audited('knowledge-base', uuidOf(base))).toMatchObject([
      { action: 'knowledge-base.delete', before: { description: 'new' }, after: null },
      { action: 'knowledge-base.update', before: { description: '' }, after: { description: 'new' } },
      { action: 'knowledge-base.create', before: null, after: { name: 'B' } },
    ]);
  });

  it.each<[object, string]>([
    [{ name: 'x' }, 'knowledge_engine_plugin_id'],
    [{ knowledge_engine_plugin_id: 'parley/built-in', color: 'red' }, 'color'],
    [{ knowledge_engine_plugin_id: 'unknown/engine' }, 'knowledge_engine_plugin_id'],
    [
      { knowledge_engine_plugin_id: 'parley/built-in', creation_settings: { chunk_size: 1 } },
      'creation_settings.chunk_size',
    ],
    [{ knowledge_engine_plugin_id: 'parley/built-in', retrieval_settings: { odd: 1 } }, 'retrieval_settings.odd'],
  ])('is not made from %j', async (form, path) => {
    expect(await client.refused('POST', basesUrl, form)).toEqual([400, 'invalid_request', path]);
  });

  it('is not deleted while a pipeline names it', async () => {
    const config = { ai: { 'local-agent': { 'knowledge-bases': [uuidOf(base)] } } };
    const { uuid } = (
      await service.request({
        method: 'POST',
        url: '/api/v1/pipelines',
        bearer: service.account.token,
        json: { name: 'P', config },
      })
    ).body.data;
    expect(await client.refused('DELETE', base)).toEqual([409, 'in_use', `pipelines/${uuid}`]);
    await service.request({ method: 'DELETE', url: `/api/v1/pipelines/${uuid}`, bearer: service.account.token });
    await client.ok('DELETE', base);
  });
});

describe('a document', () => {
  let file: string;
  let uuid: string;
  beforeEach(async () => {
    uuid = await client.attach(base, 'Über Katzen.md', text, { metadata: { lang: 'en' } });
    file = `${base}/files/${uuid}`;
    await client.settled(base);
  });

  it('shows what became of it, and how much of it was read', async () => {
    expect((await client.ok('GET', file)).file).toMatchObject({
      uuid,
      kb_id: uuidOf(base),
      file_name: 'Über Katzen.md',
      extension: 'md',
      size: Buffer.byteLength(text),
      status: 'completed',
      stage: 'ready',
      reason: null,
      error: null,
      warnings: [],
      title: 'Cats',
      page_kind: null,
      page_count: 0,
      pages: [],
      metadata: { lang: 'en' },
      parser_plugin_id: null,
      attempts: 1,
      task_id: expect.any(Number),
      finished_at: expect.any(String),
      chunk_count: 2,
    });
  });

  it('is given back as it was uploaded, to be saved and not to be shown', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await client.send(method, `${file}/content`);
      expect(answer).toMatchObject({ status: 200, text: method === 'GET' ? text : '' });
      expect(answer.headers).toMatchObject({
        'content-disposition': `attachment; filename="_ber Katzen.md"; filename*=UTF-8''%C3%9Cber%20Katzen.md`,
        'content-type': 'application/octet-stream',
        'x-content-type-options': 'nosniff',
      });
      expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(text));
    }
  });

  it('is found in chunks, in pages', async () => {
    const first = await client.ok('GET', `${file}/chunks?limit=1`);
    expect(first).toMatchObject({
      total: 2,
      chunks: [
        {
          id: expect.any(String),
          position: 0,
          text: expect.stringContaining('nine lives'),
          heading_path: ['Cats'],
          page: null,
          page_end: null,
          start: expect.any(Number),
          end: expect.any(Number),
        },
      ],
    });
    const second = await client.ok('GET', `${file}/chunks?limit=1&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ chunks: [{ position: 1, heading_path: ['Dogs'] }], next_cursor: null });
    expect(await client.ok('GET', `${file}/chunks`)).toEqual({
      chunks: [...first.chunks, ...second.chunks],
      total: 2,
      next_cursor: null,
    });
    for (const query of ['limit=0', 'limit=501', 'cursor=x', 'odd=1']) {
      expect((await client.refused('GET', `${file}/chunks?${query}`))[0]).toBe(400);
    }
  });

  it('is listed with the others in pages for who asks for them', async () => {
    for (const name of ['b.md', 'c.md']) await client.attach(base, name, name);
    const all = await client.settled(base);
    const first = await client.ok('GET', `${base}/files?limit=2`);
    expect(first.files).toEqual(all.slice(0, 2));
    const second = await client.ok('GET', `${base}/files?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`);
    expect(second).toEqual({ files: all.slice(2), next_cursor: null });
    expect(await client.refused('GET', `${base}/files?cursor=x`)).toEqual([400, 'invalid_request', 'query.cursor']);
  });

  it('is found by its name or title, in all bases', async () => {
    await client.attach(base, 'Einzig.md', 'Einzig.md');
    const all = await client.settled(base);
    const only = all.filter(({ file_name }: { file_name: string }) => file_name === 'Einzig.md');
    expect(await client.ok('GET', '/api/v1/knowledge/files?search=EINZIG')).toEqual({ files: only, total: 1 });
    const some = await client.ok('GET', '/api/v1/knowledge/files?search=md&limit=1');
    expect(some.files).toHaveLength(1);
    expect(some.total).toBeGreaterThan(1);
    expect(await client.ok('GET', '/api/v1/knowledge/files?search=%25')).toEqual({ files: [], total: 0 });
    for (const query of ['', 'search=', 'search=a&limit=101', 'search=a&odd=1']) {
      expect((await client.refused('GET', `/api/v1/knowledge/files?${query}`))[0], query).toBe(400);
    }
  });

  it('is re-indexed, and cannot be retried or cancelled when it is done', async () => {
    for (const verb of ['retry', 'cancel']) {
      expect((await client.refused('POST', `${file}/${verb}`)).slice(0, 2)).toEqual([409, 'conflict']);
    }
    const { task_id, file: begun } = await client.ok('POST', `${file}/reindex`);
    expect(begun).toMatchObject({ uuid, task_id });
    expect((await client.task(task_id)).runtime).toMatchObject({ exception: null });
    await client.settled(base);
    expect((await client.ok('GET', `${file}/chunks`)).total).toBe(2);
  });

  it('is on record from the first to the last', async () => {
    await client.task((await client.ok('POST', `${file}/reindex`)).task_id);
    await client.ok('DELETE', file);
    expect(await audited('knowledge-document', uuid)).toMatchObject([
      { action: 'knowledge-document.delete', before: { file_name: 'Über Katzen.md' }, after: null },
      { action: 'knowledge-document.reindex', before: { uuid }, after: { uuid } },
      { action: 'knowledge-document.create', before: null, after: { file_name: 'Über Katzen.md' } },
    ]);
  });

  it('is found by no other base and under no other identifier', async () => {
    const other = await client.createBase();
    for (const address of [`${other}/files/${uuid}`, `${base}/files/${unknown}`, `${base}/files/x`]) {
      for (const [method, path] of [
        ['GET', ''],
        ['DELETE', ''],
        ['GET', '/content'],
        ['GET', '/chunks'],
        ['POST', '/retry'],
        ['POST', '/reindex'],
        ['POST', '/cancel'],
      ] as const) {
        expect((await client.refused(method, `${address}${path}`)).slice(0, 2)).toEqual([404, 'not_found']);
      }
    }
  });

  it('that cannot be read says why, in its record and in its task, and can be tried again', async () => {
    const broken = await client.attach(base, 'broken.pdf', '%PDF-1.7\nnothing of a PDF');
    const failed = (await client.settled(base)).find((document) => document.uuid === broken);
    expect(failed).toMatchObject({ status: 'failed', stage: 'failed', reason: 'document_broken' });
    expect(failed.error).toEqual(expect.stringMatching(/./));
    expect((await client.task(failed.task_id)).runtime).toMatchObject({ state: 'FINISHED', exception: failed.error });
    const { task_id } = await client.ok('POST', `${base}/files/${broken}/retry`);
    expect((await client.task(task_id)).runtime.exception).toBe(failed.error);
  });

  it('is named by one of two names, and by the same where both are given', async () => {
    const file_id = await client.upload('c.md', 'Something else.');
    const attach = (json: object) => client.refused('POST', `${base}/files`, json);
    expect(await attach({ metadata: {} })).toEqual([400, 'invalid_request', 'file_id']);
    expect(await attach({ file_id, file_key: unknown })).toEqual([400, 'invalid_request', 'file_key']);
    expect((await attach({ file_id, parser_plugin_id: 'no/parser' }))[2]).toBe('parser_plugin_id');
    expect((await attach({ file_id, metadata: { page: 1 } }))[2]).toBe('metadata.page');
    expect((await attach({ file_id: '../../etc/passwd' })).slice(0, 2)).toEqual([404, 'not_found']);
    expect((await client.ok('POST', `${base}/files`, { file_id, file_key: file_id })).files).toHaveLength(1);
  });
});

describe('what is found', () => {
  beforeEach(async () => {
    await client.attach(base, 'cats.md', text, { metadata: { lang: 'en', scores: 'forged', start: 7, year: 2026 } });
    await client.settled(base);
  });
  const find = async (request: object) =>
    (await client.ok('POST', `${base}/retrieve`, { query: 'nine lives', ...request })).results;

  it('is what the filters let through', async () => {
    expect(await find({ filters: { lang: 'en', year: { $gte: 2026 } } })).not.toEqual([]);
    expect(await find({ filters: { lang: { $in: ['de', 'fr'] } } })).toEqual([]);
    expect(await find({ filters: null, retrieval_settings: null })).toEqual(await find({}));
    for (const filters of [{ color: 'red' }, { year: { $like: 1 } }, { year: { $in: 1 } }]) {
      expect((await client.refused('POST', `${base}/retrieve`, { query: 'x', filters }))[0]).toBe(400);
    }
  });

  it('says where a passage stands, whatever the metadata of its document say', async () => {
    const [{ metadata }] = await find({});
    expect(metadata).toMatchObject({ lang: 'en', year: 2026, scores: { keyword: { rank: 1 } }, file_name: 'cats.md' });
    expect(metadata.knowledge_base_uuid).toBe(uuidOf(base));
    expect([metadata.start, metadata.end]).toEqual([0, 'Cats\n\nA cat has nine lives.'.length]);
  });
});

describe('the collections of a base', () => {
  beforeEach(async () => {
    await client.attach(base, 'cats.md', text);
    await client.settled(base);
  });
  const collections = async () => (await client.ok('GET', `${base}/collections`)).collections;
  const active = async () => (await collections()).find(({ state }: { state: string }) => state === 'active');

  it('are rebuilt beside each other, and the new one is searched when it is complete', async () => {
    const before = await active();
    expect(before).toMatchObject({ knowledge_base_uuid: uuidOf(base), document_count: 1, missing_count: 0 });
    const { task_id, collection } = await client.ok('POST', `${base}/collections`, {
      creation_settings: { chunk_size: 300 },
    });
    expect(collection).toMatchObject({ creation_settings: { chunk_size: 300 }, evaluation_uuid: null });
    expect((await client.task(task_id)).runtime).toMatchObject({ exception: null });
    await expect.poll(async () => (await active()).collection_id, patience).toBe(collection.collection_id);
    expect((await client.ok('GET', base)).base).toMatchObject({
      collection_id: collection.collection_id,
      creation_settings: { chunk_size: 300 },
    });
    expect(await audited('collection', collection.collection_id)).toMatchObject([
      { action: 'collection.create', before: null, after: { creation_settings: { chunk_size: 300 } } },
    ]);
  });

  it('are rebuilt when the base is given other settings, and not when it is given the same', async () => {
    const { base: stored } = await client.ok('GET', base);
    expect((await client.ok('PUT', base, stored)).task_id).toBeNull();
    const { task_id } = await client.ok('PUT', base, { creation_settings: { chunk_size: 400 } });
    expect((await client.task(task_id)).runtime.exception).toBeNull();
    await expect.poll(async () => (await client.ok('GET', base)).base.creation_settings.chunk_size, patience).toBe(400);
  });

  it('are not activated, given up or found where that makes no sense', async () => {
    const { collection_id } = await active();
    const url = `${base}/collections`;
    expect((await client.refused('POST', `${url}/${collection_id}/activate`))[0]).toBe(409);
    expect((await client.refused('DELETE', `${url}/${collection_id}`))[0]).toBe(409);
    const other = `${await client.createBase()}/collections/${collection_id}`;
    for (const address of [other, `${url}/${unknown}`, `${url}/x`]) {
      expect((await client.refused('POST', `${address}/activate`))[0]).toBe(404);
      expect((await client.refused('DELETE', address))[0]).toBe(404);
    }
    expect((await client.refused('POST', url, { creation_settings: { chunk_size: 0 } }))[0]).toBe(400);
    expect((await client.refused('POST', `${basesUrl}/${unknown}/collections`, {}))[0]).toBe(404);
  });
});

describe('golden questions', () => {
  let document: string;
  beforeAll(async () => {
    base = await client.createBase();
  });
  beforeEach(async () => {
    document = await client.attach(base, 'cats.md', text);
    await client.settled(base);
  });
  const list = () => `${base}/questions`;
  const question = (number: number) => ({ question: `Question ${number}?`, expected: [{ document_uuid: document }] });

  it('are written one or many at a time, and listed in pages for who asks for them', async () => {
    const [one] = (await client.ok('POST', list(), question(0))).questions;
    const more = await client.ok('POST', list(), { questions: [1, 2, 3].map(question) });
    const all = [one, ...more.questions];
    expect(await client.ok('GET', list())).toEqual({ questions: all, next_cursor: null });
    const first = await client.ok('GET', `${list()}?limit=3`);
    expect(first.questions).toEqual(all.slice(0, 3));
    expect(await client.ok('GET', `${list()}?limit=3&cursor=${first.next_cursor}`)).toEqual({
      questions: all.slice(3),
      next_cursor: null,
    });
    expect(await client.refused('GET', `${list()}?cursor=eA`)).toEqual([400, 'invalid_request', 'query.cursor']);
  });

  it('are read, written back, changed and deleted on record', async () => {
    const [{ uuid }] = (await client.ok('POST', list(), question(0))).questions;
    const url = `${list()}/${uuid}`;
    const { question: read } = await client.ok('GET', url);
    const written = await client.ok('PUT', url, read);
    expect(written.question).toEqual({ ...read, updated_at: expect.any(String) });
    await client.ok('PUT', url, { question: 'Another?' });
    await client.ok('DELETE', url);
    expect((await client.refused('GET', url))[0]).toBe(404);
    expect(await audited('golden-question', uuid)).toMatchObject([
      { action: 'golden-question.delete', before: { question: 'Another?' }, after: null },
      { action: 'golden-question.update', before: { question: 'Question 0?' }, after: { question: 'Another?' } },
      { action: 'golden-question.update' },
      { action: 'golden-question.create', before: null, after: { question: 'Question 0?' } },
    ]);
  });

  it.each<[string, (expected: object) => unknown, string]>([
    [
      'more than 500',
      (expected) => ({ questions: Array(501).fill({ question: 'q', expected: [expected] }) }),
      'questions',
    ],
    ['a blank question', (expected) => ({ question: ' ', expected: [expected] }), 'question'],
    ['no expectation', () => ({ question: 'q', expected: [] }), 'expected'],
    ['an unknown document', () => ({ question: 'q', expected: [{ document_uuid: 'x' }] }), 'expected[0].document_uuid'],
    ['a grade of 0', (expected) => ({ question: 'q', expected: [{ ...expected, grade: 0 }] }), 'expected[0].grade'],
    ['what is not known', (expected) => ({ question: 'q', expected: [expected], color: 'red' }), 'color'],
  ])('are not written from %s', async (_, request, path) => {
    const refusal = await client.refused('POST', list(), request({ document_uuid: document }));
    expect(refusal).toEqual([400, 'invalid_request', path]);
  });

  it('are evaluated, and the result is stored', async () => {
    expect((await client.refused('POST', `${base}/evaluations`, {})).slice(0, 2)).toEqual([409, 'conflict']);
    await client.ok('POST', list(), { question: 'How many lives has a cat?', expected: [{ file_name: 'cats.md' }] });
    const { uuid, task_id } = await client.ok('POST', `${base}/evaluations`, {});
    expect((await client.task(task_id)).runtime).toMatchObject({ exception: null, result: { evaluation_uuid: uuid } });
    const { evaluation } = await client.ok('GET', `${base}/evaluations/${uuid}`);
    expect(evaluation).toMatchObject({ state: 'finished', figures: { questions: 1, hit_at_1: 1 }, error: null });
    const { results: _, ...summary } = evaluation;
    expect(await client.ok('GET', `${base}/evaluations?limit=1`)).toEqual({
      evaluations: [summary],
      next_cursor: null,
    });
    for (const [json, path] of [
      [{ collection_id: unknown }, 'collection_id'],
      [{ model_uuid: unknown }, 'model_uuid'],
      [{ odd: 1 }, 'odd'],
    ] as const) {
      expect(await client.refused('POST', `${base}/evaluations`, json)).toEqual([400, 'invalid_request', path]);
    }
    for (const other of [unknown, 'x']) {
      expect((await client.refused('GET', `${base}/evaluations/${other}`))[0]).toBe(404);
    }
    expect((await client.refused('GET', `${await client.createBase()}/evaluations/${uuid}`))[0]).toBe(404);
  });
});

it('has nothing of an older form to take over', async () => {
  expect(await client.ok('GET', '/api/v1/knowledge/migration/status')).toEqual({
    needed: false,
    internal_kb_count: 0,
    external_kb_count: 0,
  });
  expect((await client.refused('POST', '/api/v1/knowledge/migration/execute', {}))[0]).toBe(404);
});
