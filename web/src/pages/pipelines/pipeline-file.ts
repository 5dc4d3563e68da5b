import type { components } from '@parley/client';
import { api } from '../../lib/api.ts';
import { saveText } from '../../lib/save-file.ts';
import type { Pipeline } from './pipeline-queries.ts';

export type PipelineFile = components['schemas']['PipelineFile'];
type Kind = keyof PipelineFile['references'];
type NamedRecord = { uuid: string; name: string };

/** The server reads no more, bytes. */
export const longestPipelineFile = 1_000_000;

/** A record that a file refers to and that does not exist here. */
export interface MissingRecord {
  kind: Kind;
  uuid: string;
  name: string;
  /** Records of its kind. */
  options: readonly NamedRecord[];
  /** The uuid of the one with its name; empty if there is none. */
  suggested: string;
}

/** The content of a file, as far as the dialog needs it; null if that is no exported pipeline. The server checks the rest. */
export function readPipelineFile(text: string): PipelineFile | null {
  try {
    const content = JSON.parse(text) as Partial<PipelineFile> | null;
    return content?.format === 'parley-pipeline' && typeof content.pipeline?.name === 'string'
      ? (content as PipelineFile)
      : null;
  } catch {
    return null;
  }
}

export function missingIn({ references }: PipelineFile, known: Record<Kind, readonly NamedRecord[]>): MissingRecord[] {
  const kinds: Kind[] = ['models', 'knowledge_bases', 'mcp_servers'];
  return kinds.flatMap((kind) =>
    Object.entries(references?.[kind] ?? {}).flatMap(([uuid, name]) => {
      const options = known[kind];
      if (options.some((one) => one.uuid === uuid.toLowerCase())) return [];
      const suggested = options.find((one) => one.name === name)?.uuid ?? '';
      return [{ kind, uuid, name: String(name), options, suggested }];
    }),
  );
}

/** Downloads a pipeline as a file. @throws ParleyApiError */
export async function savePipelineFile({ uuid, name }: Pipeline): Promise<void> {
  const path = { pipeline_uuid: uuid };
  const file = await api.get('/api/v1/pipelines/{pipeline_uuid}/export', { params: { path } });
  const fileName = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  saveText(`${JSON.stringify(file, null, 2)}\n`, `${fileName || 'pipeline'}.json`);
}
