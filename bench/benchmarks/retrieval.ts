import { basename } from 'node:path';
import type { Benchmark, Figures } from '../lib/benchmark.ts';
import { type Engine, engines, withInstallation, withRunning } from '../lib/installation.ts';
import { KnowledgeProgram } from '../lib/knowledge-program.ts';
import { plainRankings } from '../lib/plain-bm25.ts';
import { type RetrievalCollection, rankingFigures, readCollection } from '../lib/retrieval-collection.ts';
import { percentile, round } from '../lib/statistics.ts';

/** Passages per query; several may belong to the same document. */
const passages = 50;
/** Timeout until all documents are ready, seconds. */
const patience = 1200;

export const retrieval: Benchmark<'parallel', 'engine'> = {
  summary:
    'How well a knowledge base without any provider finds what collections of questions ask for, over the HTTP API, and a plain BM25 beside it. The name of a folder ends with its language, such as "xquad-zh" or "de"; others are English.',
  place: 'folder',
  severalPlaces: true,
  defaults: { parallel: 4 },
  choices: { engine: engines },
  run: async ({ parallel }, { engine }, ...folders) => {
    const collections: Record<string, Figures> = {};
    await withInstallation({ engine: engine as Engine, messengers: [] }, (installation) =>
      withRunning(installation, async ({ address }) => {
        const program = new KnowledgeProgram(address, installation.key);
        for (const folder of folders) {
          const figures = await measure(program, folder, parallel);
          collections[basename(folder)] = figures;
          console.log(JSON.stringify({ [basename(folder)]: figures }));
        }
      }),
    );
    return { collections };
  },
};

async function measure(program: KnowledgeProgram, folder: string, parallel: number): Promise<Figures> {
  const collection = await readCollection(folder);
  const base = await program.create({});
  const { names, seconds } = await fill(program, base, collection, parallel);
  const { chunk_count } = await program.counts(base);
  const { rankings, times, seconds: querySeconds } = await ask(program, base, collection, names, parallel);
  const { queries: _, ...odd } = half(rankings, 1);
  return {
    // The ranking parameters were tuned on the even-numbered queries, counted from 0.
    ...odd,
    even: { ...half(rankings, 0) },
    all: { ...rankingFigures(rankings, collection.grades) },
    plain: { ...half(plainRankings(collection, languageOf(folder)), 1) },
    documents_per_second: round(collection.documents.length / seconds, 1),
    queries_per_second: round(rankings.size / querySeconds, 1),
    retrieve_p50_ms: round(percentile(times, 0.5), 1),
    retrieve_p95_ms: round(percentile(times, 0.95), 1),
    documents: collection.documents.length,
    chunks: chunk_count,
    queries: rankings.size,
  };

  function half(ranked: ReadonlyMap<string, readonly string[]>, rest: number) {
    return rankingFigures(new Map([...ranked].filter((_, index) => index % 2 === rest)), collection.grades);
  }
}

function languageOf(folder: string): string {
  return /(?:^|-)([a-z]{2})$/.exec(basename(folder))?.[1] ?? 'en';
}

/** @returns ids of documents by their files, and the time until all were ready */
async function fill(program: KnowledgeProgram, base: string, { documents }: RetrievalCollection, parallel: number) {
  const names = new Map<string, string>();
  const begun = performance.now();
  // A file without words is rejected.
  const written = documents.filter(({ title, text }) => `${title}${text}`.trim() !== '');
  await inParallel(written, parallel, async ({ id, title, text }, index) => {
    const heading = title === '' ? '' : `# ${escaped(title)}\n\n`;
    names.set(await program.add(base, `document-${index}.md`, `${heading}${escaped(text)}\n`), id);
  });
  await program.ready(base, patience);
  return { names, seconds: (performance.now() - begun) / 1000 };
}

/** @returns ids of documents by query, best first, without duplicates */
async function ask(
  program: KnowledgeProgram,
  base: string,
  { queries, grades }: RetrievalCollection,
  names: ReadonlyMap<string, string>,
  parallel: number,
) {
  const found = new Map<string, string[]>();
  const times: number[] = [];
  const begun = performance.now();
  await inParallel(queries, parallel, async ({ id, text }) => {
    const asked = performance.now();
    const results = await program.retrieve(base, text, { top_k: passages });
    times.push(performance.now() - asked);
    const ids = results.map(({ metadata }) => names.get(metadata.file_id) ?? '');
    found.set(id, [...new Set(ids)].slice(0, 10));
  });
  const seconds = (performance.now() - begun) / 1000;
  const judged = queries.filter(({ id }) => grades.has(id));
  return { rankings: new Map(judged.map(({ id }) => [id, found.get(id) ?? []])), times, seconds };
}

async function inParallel<Item>(
  items: readonly Item[],
  parallel: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const oneAfterAnother = async () => {
    while (next < items.length) {
      const index = next++;
      await work(items[index] as Item, index);
    }
  };
  await Promise.all(Array.from({ length: parallel }, oneAfterAnother));
}

/** As Markdown that renders exactly these characters. */
function escaped(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
