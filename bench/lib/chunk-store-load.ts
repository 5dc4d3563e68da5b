import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewChunk } from '@parley/sdk/internal';
import type { ChunkStore } from '../../server/src/core/knowledge/chunk-store.ts';
import { SqliteChunkStore } from '../../server/src/storage/knowledge/sqlite/sqlite-chunk-store.ts';
import type { Figures } from './benchmark.ts';
import { percentile, round } from './statistics.ts';

/** What is stored: chunks of a hundred words in documents, each about one of a number of topics. */
export interface ChunkStoreLoad {
  chunks: number;
  dimensions: number;
  /** Groups of vectors that are close to each other. */
  clusters: number;
  questions: number;
  /** Questions whose vectors are also compared with all, to see what the quick search missed. */
  exactQuestions: number;
}

const collection = 'bench';
const chunksOfDocument = 50;
const batch = 100;

/**
 * Fills a new store with data from a fixed seed and measures it. `ingest_chunks_per_second` is reported for each tenth
 * of the chunks; `recall_at_10` is how many of the ten nearest chunks the index finds.
 */
export async function measureChunkStore(load: ChunkStoreLoad): Promise<Figures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-chunks-'));
  const logger = { debug() {}, info() {}, warn: console.warn, error: console.error };
  const store = new SqliteChunkStore({ dataDir, logger });
  try {
    const corpus = new Corpus(load);
    const before = memory();
    await store.create(collection, { language: 'english' });
    const ingest: number[] = [];
    const documents = Math.ceil(load.chunks / chunksOfDocument);
    let begun = performance.now();
    const tenth = Math.max(1, Math.floor(documents / 10));
    for (let document = 0; document < documents; document++) {
      await storeOne(store, corpus, document);
      if ((document + 1) % tenth > 0) continue;
      ingest.push(Math.round((tenth * chunksOfDocument * 1000) / (performance.now() - begun)));
      begun = performance.now();
    }
    const afterStoring = memory();
    const ask = async (words: boolean, vectors: boolean) => {
      const times: number[] = [];
      for (let index = 0; index < load.questions; index++) {
        const question = corpus.question(index);
        const asked = performance.now();
        const found = await store.search(collection, {
          limit: 50,
          ...(words ? { text: question.text } : {}),
          ...(vectors ? { vector: question.vector } : {}),
        });
        await store.read(
          collection,
          [...found.keyword, ...found.vector].slice(0, 10).map(({ id }) => id),
        );
        times.push(performance.now() - asked);
      }
      return { p50: round(percentile(times, 0.5), 1), p95: round(percentile(times, 0.95), 1) };
    };
    // Warms the caches.
    await ask(true, true);
    const hybrid = await ask(true, true);
    const keyword = await ask(true, false);
    const vector = await ask(false, true);
    const recall = await recallOf(store, corpus, load.exactQuestions);
    const afterQuestions = memory();
    let isAsked = false;
    const storing = (async () => {
      for (let document = documents; !isAsked; document++) await storeOne(store, corpus, document);
    })();
    const whileStoring = await ask(true, true);
    isAsked = true;
    await storing;
    const file = statSync(join(dataDir, 'knowledge.db')).size;
    const dropped = performance.now();
    await store.drop(collection);
    await store.statistics(collection);
    return {
      ...load,
      ingest_chunks_per_second: ingest,
      hybrid_milliseconds: hybrid,
      keyword_milliseconds: keyword,
      vector_milliseconds: vector,
      hybrid_while_storing_milliseconds: whileStoring,
      recall_at_10: recall,
      drop_milliseconds: round(performance.now() - dropped, 1),
      file_megabytes: Math.round(file / 1e6),
      memory_megabytes: { before, after_storing: afterStoring, after_questions: afterQuestions },
    };
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function storeOne(store: ChunkStore, corpus: Corpus, document: number): Promise<void> {
  const edition = await store.begin(collection, {
    document_id: `document ${document}`,
    file_id: `file ${document}`,
    file_name: `${document}.txt`,
    extension: 'txt',
    media_type: 'text/plain',
    created_at: '2026-01-01T00:00:00.000Z',
    title: `Document ${document}`,
    metadata: {},
  });
  const chunks = Array.from({ length: chunksOfDocument }, (_, position) => corpus.chunk(document, position));
  for (let from = 0; from < chunks.length; from += batch) {
    await store.add(collection, edition, chunks.slice(from, from + batch));
  }
  await store.publish(collection, edition);
}

async function recallOf(store: ChunkStore, corpus: Corpus, questions: number): Promise<number> {
  let found = 0;
  for (let index = 0; index < questions; index++) {
    const { vector } = corpus.question(1_000_000 + index);
    const quick = await store.search(collection, { vector, limit: 10 });
    const exact = await store.search(collection, { vector, limit: 10, exact: true });
    const ids = new Set(quick.vector.map(({ id }) => id));
    found += exact.vector.filter(({ id }) => ids.has(id)).length / exact.vector.length;
  }
  return round(found / questions, 3);
}

/** Chunks and questions. Words are as common as in real texts: the n-th is n times as rare as the first. */
class Corpus {
  readonly #centres: Float32Array[];
  readonly #documentsOfTopic: number;

  constructor({ chunks, dimensions, clusters }: ChunkStoreLoad) {
    this.#documentsOfTopic = Math.max(1, Math.floor(chunks / chunksOfDocument / clusters));
    const random = randomFrom(1);
    this.#centres = Array.from({ length: clusters }, () =>
      Float32Array.from({ length: dimensions }, () => bell(random)),
    );
  }

  /** Neighbouring documents are about the same topic, as they are when folders are uploaded one after the other. */
  chunk(document: number, position: number): NewChunk {
    const random = randomFrom(document * 1000 + position + 7);
    const text = Array.from({ length: 100 }, () => word(random)).join(' ');
    const vector = this.#near(Math.floor(document / this.#documentsOfTopic) % this.#centres.length, random);
    const start = position * 800;
    return {
      position,
      text,
      heading_path: [`${word(random)} ${word(random)}`],
      page: null,
      page_end: null,
      start,
      end: start + text.length,
      vector,
    };
  }

  question(index: number): { text: string; vector: Float32Array } {
    const random = randomFrom(index * 31 + 5);
    const words = Array.from({ length: 3 + Math.floor(random() * 6) }, () => word(random));
    const vector = this.#near(Math.floor(random() * this.#centres.length), random);
    return { text: words.join(' '), vector };
  }

  #near(cluster: number, random: () => number): Float32Array {
    const centre = this.#centres[cluster] as Float32Array;
    return centre.map((value) => value + 0.8 * bell(random));
  }
}

const vocabulary = 50_000;

function word(random: () => number): string {
  return `w${Math.floor(vocabulary ** random()).toString(36)}x`;
}

/** About normally distributed. */
function bell(random: () => number): number {
  return random() + random() + random() + random() - 2;
}

/** A generator of numbers from 0 to 1 that is the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function memory(): number {
  return Math.round(process.memoryUsage.rss() / 1e6);
}
