import { PipelineService } from '../core/pipelines/pipeline-service.ts';
import { Patterns } from '../kit/patterns.ts';
import { KyselyPipelineStore } from '../storage/pipelines/kysely-pipeline-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { createMcp } from './mcp.ts';
import type { Created, SharedParts } from './parts.ts';

/** Pipelines as records. */
export function createPipelines(
  { database, engine }: Storage,
  { config, secrets, addresses, extensions, recordCache, mcpServers }: SharedParts & Created<typeof createMcp>,
) {
  const pipelineStore = new KyselyPipelineStore(database, engine);
  const patterns = new Patterns();
  const pipelines = new PipelineService(pipelineStore, secrets, {
    mcpServers: () => mcpServers.list(),
    maximumPipelines: config.maxPipelines,
    addresses,
    checkPattern: (pattern) => patterns.faultOf(pattern),
    schema: () => extensions.pipelineSchema,
    recordForRun: recordCache.reader((uuid) => pipelineStore.storedByUuid(uuid)),
  });
  return { pipelineStore, pipelines };
}
