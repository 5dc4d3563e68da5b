import { afterAll, describe, expect, it } from 'vitest';
import { multipart, multipartType } from '../factories/multipart.ts';
import { startTestService } from '../factories/start-test-service.ts';
import { ReferenceClient, unknownUuid } from './reference-client.ts';

const service = await startTestService();
const client = new ReferenceClient(service);
const knowledge = '/api/v1/knowledge';
const list = `${knowledge}/bases`;
const patience = { timeout: 30_000 };
const engine = 'parley/built-in';

afterAll(() => service.stop());

/** What the form to make a base sends. */
const form = (name: string) => ({
  name,
  description: 'd',
  emoji: '📚',
  knowledge_engine_plugin_id: engine,
  creation_settings: {},
  retrieval_settings: {},
});
const create = async (name = 'Cats') => (await client.post(list, form(name))).uuid as string;

async function upload(name: string, content: string | Buffer): Promise<string> {
  const payload = multipart({ name: 'file', filename: name, type: 'application/octet-stream', content });
  const headers = { 'content-type': multipartType };
  const answer = await client.send('POST', '/api/v1/files/documents', undefined, { payload, headers });
  expect(answer.status).toBe(200);
  return answer.body.data.file_id;
}

/** What the page asks every few seconds while a file is not done. */
const files = async (base: string) => (await client.get(`${list}/${base}/files`)).files;
const settled = (base: string) =>
  expect
    .poll(async () => (await files(base)).map(({ status }: { status: string }) => status), patience)
    .not.toEqual(expect.arrayContaining([expect.stringMatching(/pending|processing/)]));
const attach = async (base: string, name: string, content: string) => {
  const file_id = await upload(name, content);
  return { file_id, ...(await client.post(`${list}/${base}/files`, { file_id })) };
};

describe('the pages of knowledge bases', () => {
  it('GET /api/v1/knowledge/bases: all that there are, with what their engine can do', async () => {
    expect(await client.get(list)).toEqual({ bases: [] });
    const uuid = await create('First');
    const { bases } = await client.get(list);
    expect(bases).toEqual([(await client.get(`${list}/${uuid}`)).base]);
  });

  it('POST /api/v1/knowledge/bases: with what the form holds, and not without an engine', async () => {
    expect(await client.post(list, form('New'))).toEqual({ uuid: expect.any(String) });
    expect((await client.post(list, { knowledge_engine_plugin_id: engine })).uuid).toEqual(expect.any(String));
    for (const refused of [
      { name: 'x' },
      { ...form('x'), knowledge_engine_plugin_id: 'unknown/engine' },
      { ...form('x'), creation_settings: { chunk_size: 'large' } },
    ]) {
      expect(await client.refused('POST', list, refused)).toMatchObject({ status: 400, code: -1 });
    }
  });

  it('GET /api/v1/knowledge/bases/{knowledge_base_uuid}: every field that the page reads', async () => {
    const uuid = await create('Whole');
    expect((await client.get(`${list}/${uuid}`)).base).toMatchObject({
      uuid,
      name: 'Whole',
      description: 'd',
      emoji: '📚',
      knowledge_engine_plugin_id: engine,
      creation_settings: expect.any(Object),
      retrieval_settings: {},
      collection_id: expect.any(String),
      knowledge_engine: {
        plugin_id: engine,
        name: { en_US: expect.any(String) },
        capabilities: expect.arrayContaining(['doc_ingestion']),
      },
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      document_count: 0,
      chunk_count: 0,
      collections: [{ state: 'active' }],
    });
    for (const other of [unknownUuid, 'x']) {
      expect((await client.refused('GET', `${list}/${other}`)).status).toBe(404);
    }
  });

  it('PUT /api/v1/knowledge/bases/{knowledge_base_uuid}: what is sent is replaced, the rest stays', async () => {
    const uuid = await create('Old');
    const url = `${list}/${uuid}`;
    expect(await client.put(url, { name: 'New', retrieval_settings: { top_k: 7 } })).toEqual({ uuid, task_id: null });
    expect((await client.get(url)).base).toMatchObject({
      name: 'New',
      description: 'd',
      retrieval_settings: { top_k: 7 },
    });
    await client.put(url, { retrieval_settings: { search_type: 'keyword' } });
    expect((await client.get(url)).base.retrieval_settings).toEqual({ search_type: 'keyword' });
    // The form sends everything back.
    const { base } = await client.get(url);
    expect(await client.put(url, base)).toEqual({ uuid, task_id: null });
    expect((await client.get(url)).base).toEqual({ ...base, updated_at: expect.any(String) });
    for (const body of [{ name: 'x' }, {}]) {
      expect((await client.refused('PUT', `${list}/${unknownUuid}`, body)).status).toBe(404);
    }
  });

  it('DELETE /api/v1/knowledge/bases/{knowledge_base_uuid}: gone, with its documents', async () => {
    const uuid = await create('Short');
    await attach(uuid, 'a.txt', 'A cat.');
    await settled(uuid);
    expect(await client.delete(`${list}/${uuid}`)).toEqual({});
    for (const [method, url] of [
      ['GET', `${list}/${uuid}`],
      ['GET', `${list}/${uuid}/files`],
      ['DELETE', `${list}/${uuid}`],
    ] as const) {
      expect((await client.refused(method, url)).status).toBe(404);
    }
  });
});

describe('the documents of a knowledge base', () => {
  it('GET /api/v1/knowledge/bases/{knowledge_base_uuid}/files: each with how far it is', async () => {
    const base = await create();
    expect(await files(base)).toEqual([]);
    const { file_id } = await attach(base, 'Über Katzen.md', '# Cats\n\nA cat has nine lives.');
    await settled(base);
    expect(await files(base)).toMatchObject([
      {
        uuid: expect.any(String),
        kb_id: base,
        file_name: 'Über Katzen.md',
        extension: 'md',
        status: 'completed',
        created_at: expect.stringMatching(/Z$/),
        file_id,
        stage: 'ready',
        chunk_count: 1,
        error: null,
      },
    ]);
    expect((await client.refused('GET', `${list}/${unknownUuid}/files`)).status).toBe(404);
  });

  it('POST /api/v1/knowledge/bases/{knowledge_base_uuid}/files: a task that the page watches until it is done', async () => {
    const base = await create();
    const url = `${list}/${base}/files`;
    const file_id = await upload('a.txt', 'A cat has nine lives.');
    const { task_id, task_ids } = await client.post(url, { file_id, parser_plugin_id: null });
    expect(task_ids).toEqual([task_id]);
    expect(task_id).toBeGreaterThan(0);
    const task = () => client.get(`/api/v1/system/tasks/${task_id}`);
    await expect.poll(async () => (await task()).runtime.done, patience).toBe(true);
    expect(await task()).toMatchObject({
      id: task_id,
      kind: 'knowledge-operation',
      task_type: 'user',
      runtime: { state: 'FINISHED', exception: null },
    });
    const { tasks } = await client.get('/api/v1/system/tasks?kind=knowledge-operation');
    expect(tasks.map(({ id }: { id: number }) => id)).toContain(task_id);
    // The same upload again is the same document, by its other name too.
    expect((await client.post(url, { file_key: file_id })).files).toMatchObject([{ file_id }]);
    expect(await files(base)).toHaveLength(1);
    expect((await client.refused('POST', url, {})).status).toBe(400);
    expect((await client.refused('POST', url, { file_id: unknownUuid })).status).toBe(404);
    expect((await client.refused('POST', url, { file_id: 'no uuid' })).status).toBe(404);
    expect((await client.refused('POST', `${list}/${unknownUuid}/files`, { file_id })).status).toBe(404);
    const [again, unreadable] = [await upload('b.txt', 'A cat has nine lives.'), await upload('a.xyz', '\0\x01\x02')];
    expect(await client.refused('POST', url, { file_id: again })).toMatchObject({
      status: 409,
      reason: 'duplicate_document',
    });
    expect((await client.refused('POST', url, { file_id: unreadable })).status).toBe(422);
  });

  it('DELETE /api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}: gone from this base alone', async () => {
    const [base, other] = [await create(), await create()];
    await attach(base, 'a.txt', 'A cat has nine lives.');
    await settled(base);
    const [{ uuid }] = await files(base);
    expect((await client.refused('DELETE', `${list}/${other}/files/${uuid}`)).status).toBe(404);
    expect(await files(base)).toHaveLength(1);
    expect(await client.delete(`${list}/${base}/files/${uuid}`)).toEqual({});
    expect(await files(base)).toEqual([]);
    expect(await client.post(`${list}/${base}/retrieve`, { query: 'lives' })).toEqual({ results: [] });
    expect((await client.refused('DELETE', `${list}/${base}/files/${uuid}`)).status).toBe(404);
  });

  it('POST /api/v1/knowledge/bases/{knowledge_base_uuid}/retrieve: passages as the page shows them', async () => {
    const base = await create();
    await attach(base, 'cats.md', '# Cats\n\n## Lives\n\nA cat has nine lives.');
    await attach(base, 'dogs.md', '# Dogs\n\nA dog has one life.');
    await settled(base);
    const url = `${list}/${base}/retrieve`;
    const { results } = await client.post(url, { query: 'How many lives has a cat?', retrieval_settings: {} });
    expect(results[0]).toMatchObject({
      id: expect.any(String),
      content: [
        {
          type: 'text',
          text: expect.stringContaining('nine lives'),
          image_url: null,
          image_base64: null,
          file_url: null,
          file_base64: null,
          file_name: null,
        },
      ],
      metadata: { file_name: 'cats.md', heading_path: ['Cats', 'Lives'], scores: { keyword: { rank: 1 } } },
      distance: expect.any(Number),
      score: expect.any(Number),
    });
    expect((await client.post(url, { query: 'cat dog', retrieval_settings: { top_k: 1 } })).results).toHaveLength(1);
    const filters = { file_name: 'dogs.md' };
    const found = await client.post(url, { query: 'cat dog life', filters });
    expect(found.results.map((result: { metadata: object }) => result.metadata)).toMatchObject([filters]);
    // As a client of the reference system has it.
    expect(await client.post(url, { query: 'cat dog life', retrieval_settings: { filters } })).toEqual(found);
    for (const refused of [{}, { query: ' ' }, { query: 'x', retrieval_settings: { top_k: 0 } }]) {
      expect((await client.refused('POST', url, refused)).status).toBe(400);
    }
    expect((await client.refused('POST', `${list}/${unknownUuid}/retrieve`, { query: 'x' })).status).toBe(404);
  });
});

describe('what knowledge bases are made of', () => {
  const formOf = (url: string) => client.get(url).then(({ schema }) => schema.schema);

  it('GET /api/v1/knowledge/engines: each with the forms of its settings', async () => {
    const { engines } = await client.get(`${knowledge}/engines`);
    expect(engines[0]).toMatchObject({
      plugin_id: engine,
      name: { en_US: expect.any(String) },
      description: { en_US: expect.any(String) },
      capabilities: ['doc_ingestion'],
      retrieval_schema: { schema: expect.any(Array) },
    });
    const [model] = engines[0].creation_schema.schema;
    expect(model).toMatchObject({ name: 'embedding_model_uuid', type: 'embedding-model-selector', required: false });
  });

  it('GET /api/v1/knowledge/engines/{plugin_id}/creation-schema: with the slash encoded and as it is', async () => {
    const [{ creation_schema }] = (await client.get(`${knowledge}/engines`)).engines;
    for (const name of [engine, encodeURIComponent(engine)]) {
      expect(await formOf(`${knowledge}/engines/${name}/creation-schema`)).toEqual(creation_schema.schema);
    }
    expect((await client.refused('GET', `${knowledge}/engines/nothing/creation-schema`)).msg).toBe(
      'Invalid plugin_id format. Expected author/name.',
    );
    expect((await client.refused('GET', `${knowledge}/engines/no/body/creation-schema`)).status).toBe(404);
  });

  it('GET /api/v1/knowledge/engines/{plugin_id}/retrieval-schema: with the slash encoded and as it is', async () => {
    const [{ retrieval_schema }] = (await client.get(`${knowledge}/engines`)).engines;
    for (const name of [engine, encodeURIComponent(engine)]) {
      expect(await formOf(`${knowledge}/engines/${name}/retrieval-schema`)).toEqual(retrieval_schema.schema);
    }
    expect((await client.refused('GET', `${knowledge}/engines/no%2Fbody/retrieval-schema`)).status).toBe(404);
  });

  it('GET /api/v1/knowledge/parsers: those that read a type of file', async () => {
    const { parsers } = await client.get(`${knowledge}/parsers`);
    expect(parsers.length).toBeGreaterThan(1);
    const { parsers: readers } = await client.get(`${knowledge}/parsers?mime_type=text%2Fmarkdown`);
    expect(readers).toMatchObject([
      {
        plugin_id: 'parley/markdown',
        plugin_author: 'parley',
        plugin_name: 'markdown',
        name: { en_US: expect.any(String) },
        supported_mime_types: expect.arrayContaining(['text/markdown']),
      },
    ]);
    expect(await client.get(`${knowledge}/parsers?mime_type=text/none`)).toEqual({ parsers: [] });
    expect((await client.get(`${knowledge}/parsers?mime_type=`)).parsers).toHaveLength(parsers.length);
  });
});
