import type { TObject, TSchema } from 'typebox';
import { Check, Default } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import type { FieldPresentation } from '../src/config-schema.ts';
import { documentText } from '../src/document-text.ts';
import { ParleyError } from '../src/errors.ts';
import type {
  Collection,
  IndexedDocument,
  IngestRequest,
  KnowledgeEngine,
  KnowledgeEngineContext,
  RetrieveRequest,
} from '../src/knowledge-engine.ts';
import type { ParsedDocument } from '../src/parser.ts';
import type { RetrievedPassage } from '../src/retrieval.ts';
import { fakeEngineContext } from './fake-engine-context.ts';
import { textsTests } from './identity-tests.ts';

type Settings = Record<string, unknown>;

export interface EngineContractOptions {
  engine: KnowledgeEngine;
  /** Valid creation settings; others have their defaults. Called in each test. */
  settings?: () => Settings | Promise<Settings>;
  /** Valid retrieval settings; others have their defaults. */
  retrievalSettings?: Settings;
  /** Context of the engine, called for each test. Default {@link fakeEngineContext}. */
  context?: () => KnowledgeEngineContext;
  /** How many documents of a collection are partly stored; it must be 0 after each call. Default: not checked. */
  unpublished?: (collectionId: string) => number;
  /**
   * For an engine without `doc_ingestion`: has these texts, and no others, be found where the settings point to.
   */
  keep?: (texts: readonly string[]) => void | Promise<void>;
  /** Creation settings with which nothing can be found, though the form allows them. */
  brokenSettings?: () => Settings | Promise<Settings>;
}

/** Texts of test documents, each with a question that it answers. */
const topics = [
  ['The lighthouse of Alnmouth burns whale oil every winter night.', 'What does the lighthouse burn?'],
  ['Sourdough bread rises slowly because wild yeast is patient.', 'Why does sourdough rise slowly?'],
  ['Badgers dig long tunnels below the orchard in October.', 'Where do badgers dig tunnels?'],
] as const;

/** Unusual queries. */
const strangeQueries = [
  ' ',
  '?!…',
  '"unclosed OR (NOT * NEAR/2 ^',
  "'; DROP TABLE chunks; --",
  '{"$gt": ""} \\ %_%',
  '🦡👩‍👩‍👧‍👦 灯塔烧什么？',
  '\u0000\ud800',
  'lighthouse '.repeat(2000),
];

/** Registers the tests that every {@link KnowledgeEngine} must pass. */
export function engineContract(options: EngineContractOptions): void {
  const { engine } = options;
  describe(`knowledge engine ${engine.plugin_id}`, () => {
    declarationTests(engine);
    commonTests(options);
    if (engine.capabilities.includes('doc_ingestion')) ingestionTests(options);
    else elsewhereTests(options);
  });
}

function declarationTests(engine: KnowledgeEngine): void {
  it('is called by its author and its name', () => {
    expect(engine.plugin_id).toMatch(/^[a-z0-9]+([-_][a-z0-9]+)*\/[a-z0-9]+([-_][a-z0-9]+)*$/);
  });

  textsTests(engine.name, engine.description);

  it('has the declared capabilities, and no more', () => {
    const takesDocuments = engine.capabilities.includes('doc_ingestion');
    expect(new Set(engine.capabilities).size).toBe(engine.capabilities.length);
    expect(engine.ingest !== undefined).toBe(takesDocuments);
    expect(engine.remove !== undefined).toBe(takesDocuments);
    if (engine.capabilities.includes('doc_parsing')) expect(takesDocuments).toBe(true);
  });

  describe.each([
    ['creation', engine.creationSchema],
    ['retrieval', engine.retrievalSchema],
  ])('the schema for %s', (_, schema) => {
    it('is complete by its defaults', () => {
      expect(Object.entries(fieldsOf(schema)).filter(([, field]) => !('default' in field))).toEqual([]);
      expect(Check(schema, defaultsOf(schema))).toBe(true);
    });

    it('allows no other fields', () => {
      expect(Check(schema, { ...defaultsOf(schema), 'no such field': 1 })).toBe(false);
    });

    it('names its fields in English and Chinese', () => {
      for (const [name, field] of Object.entries(fieldsOf(schema))) {
        for (const text of [field['x-label'], field['x-help']]) {
          expect([name, text?.en_US?.trim() ?? '', text?.zh_Hans?.trim() ?? '']).not.toContain('');
        }
      }
    });
  });

  it('has a limit on the number of passages', () => {
    const bounds = fieldsOf(engine.retrievalSchema).top_k as { type?: string; minimum?: number; maximum?: number };
    expect(bounds).toMatchObject({ type: 'integer', minimum: 1 });
    expect(bounds.maximum).toBeGreaterThanOrEqual(10);
  });
}

function commonTests(options: EngineContractOptions): void {
  it('prepares a collection once, however often it is opened', async () => {
    const { engine, context, collection } = await set(options);
    await engine.open(collection, context);
    await engine.open(collection, context);
    await Promise.all([engine.open(collection, context), engine.open(collection, context)]);
  });

  it('finds nothing in an empty collection', async () => {
    await options.keep?.([]);
    const { retrieve } = await set(options);
    expect(await retrieve(topics[0][1])).toEqual([]);
  });

  it('does not start an aborted search', async () => {
    const { retrieve } = await set(options);
    const reason = new Error('aborted');
    await expect(retrieve(topics[0][1], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('handles unusual queries, or reports what is wrong with them', async () => {
    const fixture = await withTopics(options);
    for (const query of strangeQueries) {
      const found = await fixture.retrieve(query).catch((error: unknown) => error);
      if (Array.isArray(found)) expectWellFormed(found, 5);
      else expect(found).toBeInstanceOf(ParleyError);
    }
    expect((await fixture.retrieve(topics[0][1]))[0]?.text).toContain(topics[0][0]);
  });

  it('observes the limit of passages', async () => {
    const texts = Array.from({ length: 8 }, (_, place) => `Lighthouse number ${place} burns whale oil.`);
    const { retrieve } = await withTexts(options, texts);
    for (const top_k of [1, 3, 8]) {
      const found = await retrieve('lighthouse', { settings: { top_k } });
      expect(found.length).toBeGreaterThan(0);
      expectWellFormed(found, top_k);
    }
  });

  it('answers several at the same time', async () => {
    const { retrieve } = await withTopics(options);
    const answers = await Promise.all(topics.map(([, question]) => retrieve(question)));
    expect(answers.map(([first]) => first?.text)).toEqual(topics.map(([text]) => expect.stringContaining(text)));
  });

  const { brokenSettings } = options;
  if (brokenSettings === undefined) return;
  it('reports why it cannot be used', async () => {
    const { engine, context, retrieve, collection } = await fixtureOf(options, await brokenSettings());
    const attempt = async () => {
      await engine.open(collection, context);
      await retrieve(topics[0][1]);
    };
    await expect(attempt()).rejects.toBeInstanceOf(ParleyError);
  });
}

function elsewhereTests(options: EngineContractOptions): void {
  it('finds passages of an external store', async () => {
    expect(options.keep, 'an engine without doc_ingestion is tested with `keep`').toBeDefined();
    const { retrieve } = await withTopics(options);
    for (const [text, question] of topics) {
      const found = await retrieve(question);
      expectWellFormed(found, 5);
      expect(found[0]?.text).toContain(text);
    }
  });

  it('drops a collection without changing the external store', async () => {
    const { engine, context, collection, retrieve } = await withTopics(options);
    await engine.drop(collection, context);
    await engine.drop(collection, context);
    await engine.open(collection, context);
    expect(await retrieve(topics[0][1])).not.toEqual([]);
  });
}

function ingestionTests(options: EngineContractOptions): void {
  it('finds stored documents, with their positions', async () => {
    const { retrieve } = await withTopics(options);
    for (const [place, [text, question]] of topics.entries()) {
      const found = await retrieve(question);
      expectWellFormed(found, 5);
      expect(found[0]?.text).toContain(text);
      expect(found[0]?.source).toMatchObject({ document_id: `document-${place}`, file_name: `document-${place}.txt` });
    }
  });

  it('reports its progress, and the number of chunks', async () => {
    const { ingest } = await set(options);
    const steps: [string, number, number][] = [];
    const { chunks } = await ingest('long', longText(), { progress: (...step) => void steps.push(step) });
    expect(chunks).toBeGreaterThan(1);
    expect(steps.length).toBeGreaterThan(0);
    for (const [stage, done, total] of steps) {
      expect(['chunking', 'embedding']).toContain(stage);
      expect(done).toBeLessThanOrEqual(total);
    }
  });

  it('replaces a document at once', async () => {
    const { ingest, retrieve } = await set(options);
    const harvests = (colour: string) =>
      Array.from({ length: 200 }, (_, day) => `On day ${day} the harvest was ${colour}.`).join(' ');
    await ingest('same', harvests('ruby'));
    let isStored = false;
    const stored = ingest('same', harvests('emerald')).then(() => {
      isStored = true;
    });
    const answers: string[] = [];
    do {
      const found = await retrieve('harvest');
      answers.push([...new Set(found.flatMap(({ text }) => text.match(/ruby|emerald/g) ?? []))].join(' and '));
      await new Promise((resolve) => setImmediate(resolve));
    } while (!isStored);
    await stored;
    // Neither both nor none.
    expect(['ruby', 'emerald']).toEqual(expect.arrayContaining([...new Set(answers)]));
    const found = await retrieve('harvest', { settings: { top_k: 10 } });
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ text }) => !text.includes('emerald') || text.includes('ruby'))).toEqual([]);
  });

  it('forgets a document, and knows no difference when it is gone already', async () => {
    const { engine, context, collection, retrieve } = await withTopics(options);
    for (let times = 0; times < 2; times += 1) {
      await engine.remove?.(collection, 'document-0', context);
      const found = await retrieve(topics[0][1]);
      expect(found.filter(({ source }) => source?.document_id === 'document-0')).toEqual([]);
    }
    expect((await retrieve(topics[1][1]))[0]?.text).toContain(topics[1][0]);
  });

  it('drops a collection with everything in it', async () => {
    const { engine, context, collection, retrieve } = await withTopics(options);
    await engine.drop(collection, context);
    await engine.drop(collection, context);
    expect(await retrieve(topics[0][1])).toEqual([]);
    await engine.open(collection, context);
    expect(await retrieve(topics[0][1])).toEqual([]);
  });

  it('leaves nothing of an aborted document', async () => {
    const { ingest, retrieve, expectNothingLeft } = await set(options);
    const reason = new Error('aborted');
    await expect(ingest('early', longText(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const half = ingest('half', longText(), { signal: controller.signal, progress: () => controller.abort(reason) });
    await expect(half).rejects.toBe(reason);
    expect(await retrieve('the tide')).toEqual([]);
    expectNothingLeft();
  });

  it('keeps the current edition when a newer one is aborted', async () => {
    const { ingest, retrieve, expectNothingLeft } = await set(options);
    await ingest('same', 'The harvest was ruby red.');
    const controller = new AbortController();
    const reason = new Error('aborted');
    const abort = () => controller.abort(reason);
    await expect(ingest('same', longText(), { signal: controller.signal, progress: abort })).rejects.toBe(reason);
    expect((await retrieve('What colour was the harvest?'))[0]?.text).toContain('ruby red');
    expectNothingLeft();
  });

  it('refuses a document without text', async () => {
    const { ingest, retrieve, expectNothingLeft } = await set(options);
    await expect(ingest('empty', '')).rejects.toMatchObject({ name: 'ParleyError', reason: 'document_empty' });
    expect(await retrieve('anything')).toEqual([]);
    expectNothingLeft();
  });

  it('stores several documents at the same time', async () => {
    const { ingest, retrieve } = await set(options);
    await Promise.all(topics.map(([text], place) => ingest(`document-${place}`, text)));
    for (const [text, question] of topics) expect((await retrieve(question))[0]?.text).toContain(text);
  });

  it('keeps collections apart', async () => {
    const first = await withTopics(options);
    const second = await fixtureOf(options, {}, first.context);
    await second.engine.open(second.collection, second.context);
    expect(await second.retrieve(topics[0][1])).toEqual([]);
    await second.ingest('document-0', 'The lighthouse is dark.');
    expect((await second.retrieve(topics[0][1])).map(({ text }) => text)).toEqual(['The lighthouse is dark.']);
    expect((await first.retrieve(topics[0][1]))[0]?.text).toContain(topics[0][0]);
    await second.engine.drop(second.collection, second.context);
    expect((await first.retrieve(topics[0][1]))[0]?.text).toContain(topics[0][0]);
  });

  it('looks only at the documents that the filters leave', async () => {
    const { retrieve } = await withTopics(options);
    const found = await retrieve(topics[0][1], {
      filters: [{ field: 'file_id', operator: '$eq', value: 'file-document-1' }],
    });
    expect(found.filter(({ source }) => source?.file_id !== 'file-document-1')).toEqual([]);
  });
}

/** Checks that every engine's results must pass. */
function expectWellFormed(found: readonly RetrievedPassage[], most: number): void {
  expect(found.length).toBeLessThanOrEqual(most);
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  for (const [place, { id, text, distance, score, source, legs, metadata }] of found.entries()) {
    expect(id).not.toBe('');
    expect(text.trim()).not.toBe('');
    expect(Number.isFinite(distance) && distance >= 0).toBe(true);
    expect(score === null || Number.isFinite(score)).toBe(true);
    expect(score ?? 0).toBeLessThanOrEqual(found[place - 1]?.score ?? Number.POSITIVE_INFINITY);
    for (const leg of Object.values(legs)) {
      expect(Number.isInteger(leg.rank) && leg.rank >= 1 && Number.isFinite(leg.score)).toBe(true);
    }
    expect(JSON.parse(JSON.stringify(metadata))).toEqual(metadata);
    if (source === null) continue;
    expect(source.start).toBeGreaterThanOrEqual(0);
    expect(source.end).toBeGreaterThan(source.start);
    expect(source.page_end ?? 0).toBeGreaterThanOrEqual(source.page ?? 0);
    expect(source.page_end === null).toBe(source.page === null);
  }
}

type Fixture = Awaited<ReturnType<typeof fixtureOf>>;

async function set(options: EngineContractOptions): Promise<Fixture> {
  const fixture = await fixtureOf(options, {});
  await fixture.engine.open(fixture.collection, fixture.context);
  return fixture;
}

async function withTopics(options: EngineContractOptions): Promise<Fixture> {
  return withTexts(
    options,
    topics.map(([text]) => text),
  );
}

async function withTexts(options: EngineContractOptions, texts: readonly string[]): Promise<Fixture> {
  await options.keep?.(texts);
  const fixture = await set(options);
  if (options.engine.ingest === undefined) return fixture;
  for (const [place, text] of texts.entries()) await fixture.ingest(`document-${place}`, text);
  return fixture;
}

async function fixtureOf(
  options: EngineContractOptions,
  settings: Settings,
  context: KnowledgeEngineContext = options.context?.() ?? fakeEngineContext(),
) {
  const { engine } = options;
  // Another one each time, for tests may share a store.
  const collection_id = crypto.randomUUID();
  const collection: Collection = {
    collection_id,
    knowledge_base_uuid: '0190b0b0-0000-7000-8000-000000000001',
    settings: { ...defaultsOf(engine.creationSchema), ...(await options.settings?.()), ...settings },
  };
  const forever = new AbortController().signal;
  return {
    engine,
    context,
    collection,
    retrieve(query: string, over: Partial<Omit<RetrieveRequest, 'settings'>> & { settings?: Settings } = {}) {
      const asked = { ...defaultsOf(engine.retrievalSchema), ...options.retrievalSettings, ...over.settings };
      const whole = { collection, query, filters: [], signal: forever, ...over };
      return engine.retrieve({ ...whole, settings: asked as RetrieveRequest['settings'] }, context);
    },
    async ingest(document_id: string, text: string, over: Partial<IngestRequest> = {}) {
      const parsed = parsedText(text);
      const bytes = new TextEncoder().encode(documentText(parsed.blocks));
      const request: IngestRequest = {
        collection,
        document: indexedDocument(document_id),
        parsed: engine.capabilities.includes('doc_parsing') ? null : parsed,
        content: async function* () {
          yield bytes;
        },
        progress: () => undefined,
        signal: forever,
        ...over,
      };
      return (await engine.ingest?.(request, context)) ?? { chunks: 0 };
    },
    /** Of editions started in the service's own store; an engine's external store is covered by its own tests. */
    expectNothingLeft(): void {
      expect(options.unpublished?.(collection_id) ?? 0).toBe(0);
    },
  };
}

/** A document with that id. */
export function indexedDocument(document_id: string, over: Partial<IndexedDocument> = {}): IndexedDocument {
  return {
    document_id,
    file_id: `file-${document_id}`,
    file_name: `${document_id}.txt`,
    extension: 'txt',
    media_type: 'text/plain',
    created_at: '2026-01-01T00:00:00.000Z',
    title: null,
    metadata: {},
    ...over,
  };
}

/** A text as a parser reads it: a paragraph wherever there is a blank line. */
export function parsedText(text: string): ParsedDocument {
  const blocks = text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => ({ type: 'paragraph' as const, text: paragraph.trim() }));
  return { title: null, blocks, page_kind: null, pages: [], warnings: [] };
}

function longText(): string {
  const day = (number: number) =>
    `On day ${number} the tide came in at hour ${number % 24} and nobody was surprised.${number % 10 === 9 ? '\n\n' : ' '}`;
  return Array.from({ length: 400 }, (_, number) => day(number)).join('');
}

function fieldsOf(schema: TObject): Record<string, TSchema & FieldPresentation> {
  return schema.properties as Record<string, TSchema & FieldPresentation>;
}

function defaultsOf(schema: TObject): Settings {
  return Default(schema, {}) as Settings;
}
