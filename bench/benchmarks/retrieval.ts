import type { Benchmark } from '../lib/benchmark.ts';
import { type Engine, engines, withInstallation, withRunning } from '../lib/installation.ts';
import { KnowledgeProgram } from '../lib/knowledge-program.ts';
import { type RetrievalCollection, rankingFigures, readCollection } from '../lib/retrieval-collection.ts';
import { percentile, round } from '../lib/statistics.ts';

/** Passages per query; several may belong to the same document. */
const passages = 50;
/** Timeout until all documents are ready, seconds. */
const patience = 1200;

export const retrieval: Benchmark<'parallel', 'engine'> = {
  summary:
    'How well a knowledge base without any provider finds what a collection of questions asks for, over the HTTP API.',
  place: 'folder',
  defaults: { parallel: 4 },
  choices: { engine: engines },
  run: async ({ parallel }, { engine }, folder) => {
    const collection = await readCollection(folder);
    return await withInstallation({ engine: engine as Engine, messengers: [] }, (installation) =>
      withRunning(installation, async ({ address }) => {
        const program = new KnowledgeProgram(address, installation.key);
        const base = await program.create({});
        const { names, seconds } = await fill(program, base, collection, parallel);
        const { chunk_count } = await program.counts(base);
        const { rankings, times, seconds: querySeconds } = await ask(program, base, collection, names, parallel);
        const half = (rest: number) =>
          rankingFigures(new Map([...rankings].filter((_, index) => index % 2 === rest)), collection.grades);
        const { queries: _, ...odd } = half(1);
        return {
          // The ranking parameters were tuned on the even-numbered queries, counted from 0.
          ...odd,
          even: { ...half(0) },
          all: { ...rankingFigures(rankings, collection.grades) },
          documents_per_second: round(collection.documents.length / seconds, 1),
          queries_per_second: round(rankings.size / querySeconds, 1),
          retrieve_p50_ms: round(percentile(times, 0.5), 1),
          retrieve_p95_ms: round(percentile(times, 0.95), 1),
          documents: collection.documents.length,
          chunks: chunk_count,
          queries: rankings.size,
        };
      }),
    );
  },
};

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
