import type { KnowledgeEngine } from '@parley/sdk';
import { builtIn } from './built-in/index.ts';
import { httpRetrieval } from './http-retrieval/index.ts';

/** Every knowledge engine that comes with the service; the first one is taken where a client names none. */
export const engines: readonly KnowledgeEngine[] = [builtIn, httpRetrieval];
