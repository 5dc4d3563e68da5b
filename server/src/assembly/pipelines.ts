import { PipelineChanger } from '../core/pipelines/pipeline-changer.ts';
import { PipelineService } from '../core/pipelines/pipeline-service.ts';
import { PipelineVersions } from '../core/pipelines/pipeline-versions.ts';
import { boundPlugins, referencePlugin } from '../core/plugins/reference-plugin.ts';
import { Patterns } from '../kit/patterns.ts';
import { KyselyPipelineStore } from '../storage/pipelines/kysely-pipeline-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { createMcp } from './mcp.ts';
import type { Created, SharedParts } from './parts.ts';
import type { createPlugins } from './plugins.ts';

/** Pipelines as records. */
export function createPipelines(
  { database, engine }: Storage,
  {
    config,
    secrets,
    addresses,
    extensions,
    recordCache,
    mcpServers,
    plugins,
  }: SharedParts & Created<typeof createMcp> & Pick<Created<typeof createPlugins>, 'plugins'>,
) {
  const pipelineStore = new KyselyPipelineStore(database, engine);
  const patterns = new Patterns();
  const options = {
    maximumPipelines: config.maxPipelines,
    addresses,
    checkPattern: (pattern: string) => patterns.faultOf(pattern),
    schema: () => extensions.pipelineSchema,
  };
  const pipelines = new PipelineService(pipelineStore, secrets, {
    ...options,
    mcpServers: () => mcpServers.list(),
    plugins: () => boundPlugins(plugins.list()).map(referencePlugin),
    recordForRun: recordCache.reader((uuid) => pipelineStore.storedByUuid(uuid)),
  });
  const pipelineVersions = new PipelineVersions(pipelineStore, new PipelineChanger(secrets, options));
  return { pipelineStore, pipelines, pipelineVersions };
}
