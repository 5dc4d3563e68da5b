import type { Benchmark } from '../lib/benchmark.ts';
import { measureChunkStore } from '../lib/chunk-store-load.ts';

export const chunkStore: Benchmark<'chunks' | 'dimensions' | 'clusters' | 'questions' | 'exact-questions'> = {
  summary: 'The chunk store on SQLite by itself: indexing, keyword, vector and hybrid search.',
  defaults: { chunks: 100_000, dimensions: 768, clusters: 1000, questions: 200, 'exact-questions': 50 },
  run: ({ 'exact-questions': exactQuestions, ...load }) => measureChunkStore({ ...load, exactQuestions }),
};
