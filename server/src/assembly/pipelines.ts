import type { Config } from '../config/index.ts';
import type { AddressRules } from '../core/addresses/address-rules.ts';
import type { ExtensionRegistries } from '../core/extensions/extension-registries.ts';
import type { McpServerService } from '../core/mcp/mcp-server-service.ts';
import { PipelineService } from '../core/pipelines/pipeline-service.ts';
import { Patterns } from '../kit/patterns.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { KyselyPipelineStore } from '../storage/pipelines/kysely-pipeline-store.ts';
import type { Storage } from '../storage/storage.ts';

export interface PipelineParts {
  config: Config;
  secrets: SecretBox;
  addresses: AddressRules;
  mcpServers: McpServerService;
  extensions: ExtensionRegistries;
}

/** Pipelines as records. */
export function createPipelines(
  { database, engine }: Storage,
  { config, secrets, addresses, mcpServers, extensions }: PipelineParts,
) {
  const pipelineStore = new KyselyPipelineStore(database, engine);
  const patterns = new Patterns();
  const pipelines = new PipelineService(pipelineStore, secrets, {
    mcpServers: () => mcpServers.list(),
    maximumPipelines: config.maxPipelines,
    addresses,
    checkPattern: (pattern) => patterns.faultOf(pattern),
    schema: () => extensions.pipelineSchema,
  });
  return { pipelineStore, pipelines };
}
