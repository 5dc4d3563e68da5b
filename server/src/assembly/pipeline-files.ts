import type { KnowledgeBaseService } from '../core/knowledge/knowledge-base-service.ts';
import { PipelineFiles } from '../core/pipelines/pipeline-files.ts';
import type { createMcp } from './mcp.ts';
import type { createModels } from './models.ts';
import type { Created, SharedParts } from './parts.ts';
import type { createPipelines } from './pipelines.ts';

/** Pipelines as files. */
export function createPipelineFiles({
  extensions,
  pipelines,
  modelStore,
  knowledgeBases,
  mcpServers,
}: Pick<SharedParts, 'extensions'> &
  Pick<Created<typeof createPipelines>, 'pipelines'> &
  Pick<Created<typeof createModels>, 'modelStore'> &
  Pick<Created<typeof createMcp>, 'mcpServers'> & { knowledgeBases: Pick<KnowledgeBaseService, 'list'> }) {
  return new PipelineFiles(pipelines, {
    schema: () => extensions.pipelineSchema,
    models: () => modelStore.models('llm'),
    knowledgeBases: () => knowledgeBases.list(),
    mcpServers: () => mcpServers.list(),
  });
}
