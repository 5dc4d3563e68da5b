import type { Benchmark } from '../lib/benchmark.ts';
import { measureChunkStore } from '../lib/chunk-store-load.ts';

export const chunkStore: Benchmark<'chunks' | 'dimensions' | 'clusters' | 'questions' | 'exact-questions'> = {
  summary: 'The store of chunks on SQLite by itself: filled, and searched by words, by vectors and by both.',
  defaults: { chunks: 100_000, dimensions: 768, clusters: 1000, questions: 200, 'exact-questions': 50 },
  run: ({ 'exact-questions': exactQuestions, ...load }) => measureChunkStore({ ...load, exactQuestions }),
};
