import type { KnowledgeEngineContext } from '../src/knowledge-engine.ts';
import { fakeEmbedding, wordsOf } from './fake-embedding.ts';
import { silentLogger } from './silent-logger.ts';

/**
 * Creates the context of an engine: a word-based embedding model for every uuid, a rerank model that
 * counts query terms, and unrestricted HTTP. `over` overrides it.
 */
export function fakeEngineContext(over: Partial<KnowledgeEngineContext> = {}): KnowledgeEngineContext {
  return {
    async embed(_modelUuid, texts, { signal }) {
      signal.throwIfAborted();
      return texts.map(fakeEmbedding);
    },
    async rerank(_modelUuid, query, texts, { limit, signal }) {
      signal.throwIfAborted();
      const words = new Set(wordsOf(query));
      return texts
        .map((text, index) => ({ index, score: shareOf(words, text) }))
        .sort((left, right) => right.score - left.score || left.index - right.index)
        .slice(0, limit);
    },
    fetch: globalThis.fetch,
    logger: silentLogger,
    ...over,
  };
}

/** The share of the words that occur in the text, from 0 to 1. */
function shareOf(words: ReadonlySet<string>, text: string): number {
  const found = new Set(wordsOf(text));
  return words.size === 0 ? 0 : [...words].filter((word) => found.has(word)).length / words.size;
}
