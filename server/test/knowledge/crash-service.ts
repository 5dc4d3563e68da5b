import type { ChunkIndex, InternalEngineContext, InternalKnowledgeEngine } from '@parley/sdk/internal';
import { fakeEmbedding } from '../../../sdk/testing/fake-embedding.ts';
import { loadConfig } from '../../src/config/index.ts';
import { builtIn } from '../../src/engines/built-in/index.ts';
import { createService } from '../../src/service.ts';

/** The product with an engine that blocks where a test wants to kill it, and reports the step. */
const pauseAt = process.env.TEST_PAUSE_AT ?? '';

/** @param of the document; a document with the name of a step blocks there */
async function pause(step: string, of = `${step}.crash`): Promise<void> {
  if (step !== pauseAt || of !== `${step}.crash`) return;
  console.log(`paused at ${step}`);
  await new Promise(() => undefined);
}

function pausing(context: InternalEngineContext, name: string): InternalEngineContext {
  const { chunks } = context;
  const slow: Pick<ChunkIndex, 'begin' | 'add' | 'publish'> = {
    begin: async (...parameters) => {
      await pause('chunking', name);
      return chunks.begin(...parameters);
    },
    add: async (...parameters) => {
      await chunks.add(...parameters);
      await pause('adding', name);
    },
    publish: async (...parameters) => {
      await pause('publishing', name);
      await chunks.publish(...parameters);
      await pause('published', name);
    },
  };
  return {
    ...context,
    chunks: Object.assign(Object.create(chunks) as ChunkIndex, bound(chunks), slow),
    embed: async (_model, texts) => {
      await pause('embedding', name);
      return texts.map(fakeEmbedding);
    },
  };
}

/** The other methods, which know their own store. */
function bound(chunks: ChunkIndex): Partial<ChunkIndex> {
  return {
    create: (...parameters) => chunks.create(...parameters),
    drop: (...parameters) => chunks.drop(...parameters),
    abandon: (...parameters) => chunks.abandon(...parameters),
    remove: (...parameters) => chunks.remove(...parameters),
    search: (...parameters) => chunks.search(...parameters),
    read: (...parameters) => chunks.read(...parameters),
    list: (...parameters) => chunks.list(...parameters),
    statistics: (...parameters) => chunks.statistics(...parameters),
  };
}

const engine: InternalKnowledgeEngine = {
  ...builtIn,
  plugin_id: 'tests/pausing',
  ingest: async (request, context) => {
    if (request.collection.settings.chunk_size === 300) await pause('rebuilding');
    return builtIn.ingest(request, pausing(context, request.document.file_name));
  },
  remove: async (...parameters) => {
    await pause('removing');
    await builtIn.remove(...parameters);
    await pause('removed');
  },
  drop: async (...parameters) => {
    await pause('switching');
    await builtIn.drop(...parameters);
    await pause('dropped');
  },
  retrieve: (request, context) => builtIn.retrieve(request, pausing(context, '')),
};

const parser = {
  plugin_id: 'tests/crash',
  name: { en_US: 'Lines' },
  description: { en_US: 'Reads lines.' },
  media_types: ['text/x-crash'],
  extensions: ['crash'],
  module: new URL('./crash-parser.ts', import.meta.url).href,
};

const config = loadConfig({ environment: process.env, workingDirectory: process.cwd() });
const service = await createService(config, { knowledgeEngines: [engine], parsers: [parser] });
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)));
console.log(`Parley is ready at ${await service.start()}`);
