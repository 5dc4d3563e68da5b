import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KnowledgeClient } from '../factories/knowledge-client.ts';
import { multipart, multipartType } from '../factories/multipart.ts';
import { startTestService, type TestRequest, type TestService } from '../factories/start-test-service.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { enginesInTurns } from '../shared/looks-closely.ts';

const patience = { timeout: 30_000 };
/** Several of these waits. */
const long = { timeout: 120_000 };

/** Twenty animals, each with a document and a question that only this document answers. */
const animals = [
  [
    'albatross',
    'wingspan of three and a half metres',
    'Which bird has the widest wings?',
    'The albatross has the widest wings of all birds',
  ],
  ['beaver', 'dams of branches and mud', 'Who builds dams in rivers?', 'Beavers build dams in rivers'],
  [
    'camel',
    'up to a hundred litres of water at once',
    'Which animal stores fat in humps?',
    'A camel stores fat in its humps',
  ],
  [
    'dolphin',
    'sleeps with half of its brain',
    'Who sleeps with one half of the brain?',
    'A dolphin sleeps with half of its brain awake',
  ],
  [
    'elephant',
    'a trunk with forty thousand muscles',
    'Whose trunk has many muscles?',
    'The trunk of an elephant has many muscles',
  ],
  [
    'flamingo',
    'pink because of what it eats',
    'Why are some birds pink?',
    'Flamingos are pink because of what they eat',
  ],
  ['gecko', 'walks on ceilings', 'Who walks on ceilings?', 'A gecko walks on ceilings with its toes'],
  ['hedgehog', 'five thousand spines', 'How many spines protect it?', 'A hedgehog has five thousand spines'],
  ['ibex', 'climbs the walls of dams', 'Who climbs steep rocks?', 'An ibex climbs steep rocks to lick salt'],
  ['jellyfish', 'has no heart and no bones', 'Which animal has no heart?', 'A jellyfish has no heart and no bones'],
  ['koala', 'eats eucalyptus only', 'Who eats eucalyptus leaves?', 'Koalas eat eucalyptus leaves'],
  ['lobster', 'tastes with its legs', 'Who tastes with its legs?', 'A lobster tastes with its legs'],
  ['mole', 'digs twenty metres of tunnel a day', 'Who digs tunnels below lawns?', 'A mole digs tunnels below lawns'],
  ['narwhal', 'a tusk of three metres', 'Which whale carries a tusk?', 'The narwhal carries a long tusk'],
  ['octopus', 'three hearts and blue blood', 'Whose blood is blue?', 'The blood of an octopus is blue'],
  ['penguin', 'dives five hundred metres deep', 'Which bird dives deepest?', 'The emperor penguin dives deepest'],
  ['quokka', 'lives on one island', 'Who smiles on Rottnest island?', 'The quokka of Rottnest island seems to smile'],
  ['raven', 'solves riddles', 'Which bird solves riddles?', 'A raven solves riddles with tools'],
  ['sloth', 'comes down once a week', 'Who climbs down once a week?', 'A sloth climbs down its tree once a week'],
  [
    'tortoise',
    'grows older than a hundred and fifty years',
    'Which animal grows oldest?',
    'A giant tortoise grows oldest',
  ],
] as const;

describe.each(enginesInTurns)('knowledge over HTTP alone on %s', (engine) => {
  let database: FreshDatabase | undefined;
  let service: TestService;
  let client: KnowledgeClient;
  let key: string;
  beforeAll(async () => {
    if (engine === 'postgres') database = await migratedDatabase();
    service = await startTestService({ ...(database && { databaseUrl: database.url }) });
    key = (await service.createApiKey()).key;
    client = new KnowledgeClient(service, key);
  });
  afterAll(async () => {
    await service.stop();
    await database?.drop();
  });

  const evaluations = async (base: string) => (await client.ok('GET', `${base}/evaluations`)).evaluations;

  it('goes from uploads to a report of twenty golden questions, which every change is measured by', long, async () => {
    const base = await client.createBase({ name: 'Animals' });
    const attached = await Promise.all(
      animals.map(([name, fact, , sentence]) =>
        client.attach(base, `${name}.md`, `# The ${name}\n\n${sentence}.\n\nIt is known for this: ${fact}.\n`),
      ),
    );
    const files = await client.settled(base);
    expect(files.map(({ status }) => status)).toEqual(animals.map(() => 'completed'));
    expect((await client.ok('GET', base)).base).toMatchObject({ document_count: 20, chunk_count: 20 });

    const { results } = await client.ok('POST', `${base}/retrieve`, { query: 'Whose blood is blue?' });
    expect(results[0].metadata).toMatchObject({ file_name: 'octopus.md', document_id: attached[14] });
    expect(results[0].content[0].text).toContain('The blood of an octopus is blue');

    const questions = animals.map(([name, fact, question], index) => ({
      question,
      expected: [
        { file_name: `${name}.md`, quote: index % 2 === 0 ? fact.toUpperCase() : null, grade: 1 + (index % 3) },
      ],
    }));
    expect((await client.ok('POST', `${base}/questions`, { questions })).questions).toHaveLength(20);
    const { uuid, task_id } = await client.ok('POST', `${base}/evaluations`, {});
    expect((await client.task(task_id)).task_context.metadata).toMatchObject({ done: 20, total: 20 });
    const { evaluation } = await client.ok('GET', `${base}/evaluations/${uuid}`);
    expect(evaluation).toMatchObject({
      state: 'finished',
      asked_by: 'request',
      figures: { questions: 20, hit_at_10: 1 },
    });
    expect(evaluation.figures.hit_at_1).toBeGreaterThanOrEqual(0.9);
    expect(evaluation.results).toHaveLength(20);

    // A document that is removed is not missed by the figures, and its question says why.
    await client.ok('DELETE', `${base}/files/${attached[0]}`);
    const again = await client.ok('POST', `${base}/evaluations`, {});
    await client.task(again.task_id);
    const without = (await client.ok('GET', `${base}/evaluations/${again.uuid}`)).evaluation;
    expect(without).toMatchObject({
      figures: { questions: 19 },
      results: [{ error: expect.any(String) }, ...Array(19).fill({ error: null })],
    });

    const rebuilt = await client.ok('POST', `${base}/collections`, {});
    await client.task(rebuilt.task_id);
    const { collection_id } = rebuilt.collection;
    await expect.poll(async () => (await client.ok('GET', base)).base.collection_id, patience).toBe(collection_id);
    const [latest, before] = await evaluations(base);
    expect(latest).toMatchObject({ asked_by: 'rebuild', collection_id, figures: without.figures });
    expect(before).toMatchObject({ asked_by: 'rebuild', collection_id: evaluation.collection_id });

    await client.ok('POST', `${base}/files/${attached[1]}/reindex`);
    await expect
      .poll(async () => (await evaluations(base))[0], patience)
      .toMatchObject({ asked_by: 'reindex', state: 'finished', figures: without.figures });
  });

  it('makes a collection that finds less wait for a decision', long, async () => {
    const base = await client.createBase();
    const sentences = ['The needle is at the bottom of the stack', 'It was lost in spring', 'Nobody looked for it'];
    const quote = sentences.map((sentence) => `${sentence} of the year ${'in the long field '.repeat(6)}`).join('. ');
    await client.attach(base, 'a.md', `# A\n\n${quote}.\n`);
    await client.settled(base);
    // No chunk of a fourth of its length can hold it.
    const expected = [{ file_name: 'a.md', quote }];
    await client.ok('POST', `${base}/questions`, { question: 'Where is the needle?', expected });
    const active = (await client.ok('GET', base)).base.collection_id;
    const rebuild = async () => {
      const small = { creation_settings: { chunk_size: 200, chunk_overlap: 0 } };
      const { task_id, collection } = await client.ok('POST', `${base}/collections`, small);
      await client.task(task_id);
      return `${base}/collections/${collection.collection_id}`;
    };
    const collections = async () => (await client.ok('GET', `${base}/collections`)).collections;

    const refused = await rebuild();
    expect((await client.ok('GET', base)).base).toMatchObject({
      collection_id: active,
      collections: [{ state: 'active' }, { state: 'waiting', evaluation_uuid: expect.any(String) }],
    });
    const [, waiting] = await collections();
    const { evaluation } = await client.ok('GET', `${base}/evaluations/${waiting.evaluation_uuid}`);
    expect(evaluation).toMatchObject({ collection_id: waiting.collection_id, figures: { hit_at_5: 0 } });
    expect((await client.refused('POST', `${base}/collections`, {}))[0]).toBe(409);
    // Who wants to know more may ask the questions of it.
    const { uuid, task_id } = await client.ok('POST', `${base}/evaluations`, { collection_id: waiting.collection_id });
    await client.task(task_id);
    expect((await client.ok('GET', `${base}/evaluations/${uuid}`)).evaluation.figures).toEqual(evaluation.figures);
    await client.ok('DELETE', refused);
    await expect.poll(collections, patience).toMatchObject([{ collection_id: active, state: 'active' }]);

    const accepted = await rebuild();
    const { collection } = await client.ok('POST', `${accepted}/activate`);
    expect(collection).toMatchObject({ state: 'active', creation_settings: { chunk_size: 200 } });
    expect((await client.ok('GET', base)).base.collection_id).toBe(collection.collection_id);
    await expect.poll(collections, patience).toMatchObject([{ collection_id: collection.collection_id }]);
  });

  it('is what docs/knowledge.md says', long, async () => {
    const requests = requestsOf(readFileSync(new URL('../../../docs/knowledge.md', import.meta.url), 'utf8'));
    const models = await service.request({ url: '/api/v1/provider/models/llm', apiKey: key });
    const values: Record<string, string> = { SERVER: '', KEY: key, MODEL: models.body.data.models[0].uuid };
    const handbook = '# Handbook\n\nThe office opens at nine. The janitor has the keys.\n';
    const learnt: string[] = [];
    for (const request of requests) {
      const filled = fill(request, values);
      const { file, ...rest } = filled;
      const sent = file === undefined ? rest : upload(rest, file, handbook);
      const answer = await service.request(sent);
      expect([answer.status, sent.method, sent.url, answer.text.slice(0, 300)]).toEqual([
        ...[200, sent.method, sent.url, expect.any(String)],
      ]);
      const path = request.url.replace('$SERVER', '');
      learnt.push(`${sent.method} ${path}`);
      const { data } = answer.body;
      if (path === '/api/v1/knowledge/bases') values.BASE = data.uuid;
      if (path === '/api/v1/files/documents') values.FILE = data.file_id;
      if (path.endsWith('$BASE/files')) {
        values.DOCUMENT = data.files[0].uuid;
        await client.settled(`/api/v1/knowledge/bases/${values.BASE}`);
      }
      if (path.endsWith('/files/$DOCUMENT')) expect(data.file.status).toBe('completed');
      if (path.endsWith('/retrieve')) expect(data.results[0].content[0].text).toContain('opens at nine');
      if (sent.method === 'PUT') await client.task(data.task_id);
      if (path.endsWith('/collections'))
        expect(data.collections).toContainEqual(expect.objectContaining({ state: 'active' }));
      if (path.endsWith('/evaluations')) {
        values.RUN = data.uuid;
        await client.task(data.task_id);
      }
      if (path.endsWith('/$RUN')) expect(data.evaluation.figures).toMatchObject({ questions: 2, hit_at_1: 1 });
      if (path === '/v1/chat/completions') expect(answer.body.choices).toHaveLength(1);
    }
    expect(learnt).toHaveLength(12);
  });
});

interface GuideRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload?: string;
  /** Name of a file that is sent. */
  file?: string;
}

/** The calls of `curl` in a page, in order. */
function requestsOf(page: string): GuideRequest[] {
  const scripts = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, script = '']) => script.replaceAll('\\\n', ''));
  return scripts.flatMap((script) => {
    const calls = script.split(/^(?=curl )/m).filter((call) => call.startsWith('curl '));
    return calls.map((call) => {
      const option = (name: string) =>
        [...call.matchAll(new RegExp(` ${name} (?:'((?:[^']|'\\$\\w+')*)'|"([^"]*)"|(\\S+))`, 'g'))].map(
          ([, single, double, bare]) => single ?? double ?? bare ?? '',
        );
      const [payload] = option('-d').map((text) => text.replace(/'(\$\w+)'/g, '$1'));
      const [file] = option('-F').map((text) => text.replace(/^file=@/, ''));
      const [method = payload === undefined && file === undefined ? 'GET' : 'POST'] = option('-X');
      const headers = Object.fromEntries(option('-H').map((header) => header.split(': ') as [string, string]));
      const url = /"(\$SERVER[^"]*)"/.exec(call)?.[1] ?? '';
      return { method, url, headers, ...(payload === undefined ? {} : { payload }), ...(file && { file }) };
    });
  });
}

/** Puts values in the place of variables. */
function fill<Value>(value: Value, values: Record<string, string>): Value {
  const filled = JSON.stringify(value).replace(/\$([A-Z]+)/g, (_, name: string) => {
    const known = values[name];
    if (known === undefined) throw new Error(`docs/knowledge.md uses $${name} before it is known`);
    return known;
  });
  return JSON.parse(filled) as Value;
}

function upload({ headers, ...request }: GuideRequest, filename: string, content: string): GuideRequest & TestRequest {
  const payload = multipart({ name: 'file', filename, content });
  return { ...request, payload: payload.toString(), headers: { ...headers, 'content-type': multipartType } };
}
