import { type KnowledgeAnswer, type MediaContent, type MessageElement, ParleyError } from '@parley/sdk';
import { chunksOf } from '../../../lib/byte-chunks.ts';
import { askedBy } from './asked-by.ts';
import { elementOfMessage } from './core-handlers.ts';
import type { HostHandlers, HostRequest } from './plugin-host-api.ts';

export interface HostContentOptions {
  retrieve: (
    knowledgeBases: readonly string[],
    question: string,
    options: { signal: AbortSignal; asked_by?: { session_id: string; message_uuid: string } },
  ) => Promise<KnowledgeAnswer>;
  readMedia: (element: MessageElement, signal: AbortSignal) => Promise<MediaContent>;
}

/** Searches knowledge bases and reads files for plugins. */
export function contentHandlers({
  retrieve,
  readMedia,
}: HostContentOptions): Pick<HostHandlers, 'knowledge_search' | 'files_read'> {
  return {
    knowledge_search: async ({ query, bases }, request) => {
      const { scope, signal } = request;
      const searched = basesFor(bases, request);
      const { passages, failures } = await retrieve(searched, query, { signal, ...askedBy(scope) });
      const [failure] = failures;
      if (passages.length === 0 && failure !== undefined) throw new ParleyError(failure.reason, failure.error);
      return { result: passages };
    },
    files_read: async ({ element }, { scope, signal }) => {
      const { bytes } = await readMedia(elementOfMessage(scope, element), signal);
      return { result: null, bytes: chunksOf(bytes) };
    },
  };
}

/** The knowledge bases that a plugin searches. @throws ParleyError `plugin_permission_denied` */
function basesFor(asked: readonly string[] | null, { plugin, scope }: HostRequest): readonly string[] {
  const permissions = plugin.manifest.permissions?.knowledge ?? [];
  const ofPipeline = permissions.includes('pipeline') ? (scope?.knowledgeBases ?? []) : [];
  const chosen = permissions.includes('chosen') ? plugin.grants.knowledge : [];
  if (asked === null) return ofPipeline.length > 0 ? ofPipeline : chosen;
  const allowed = new Set([...ofPipeline, ...chosen]);
  if (asked.every((uuid) => allowed.has(uuid))) return asked;
  throw new ParleyError('plugin_permission_denied', 'The plugin may not search this knowledge base');
}
