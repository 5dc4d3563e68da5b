import { api } from '../../lib/api.ts';

/** Searchable records, with the page whose icon they have. */
export const recordKinds = [
  { kind: 'bot', page: 'bots' },
  { kind: 'pipeline', page: 'pipelines' },
  { kind: 'knowledge-base', page: 'knowledge' },
  { kind: 'provider', page: 'models' },
  { kind: 'language-model', page: 'models' },
  { kind: 'mcp-server', page: 'tools' },
  { kind: 'api-key', page: 'apiKeys' },
] as const;

export type RecordKind = (typeof recordKinds)[number]['kind'];

export interface FindableRecord {
  kind: RecordKind;
  id: string;
  name: string;
}

const named = (kind: RecordKind, records: readonly { uuid: string; name: string }[]): FindableRecord[] =>
  records.map(({ uuid, name }) => ({ kind, id: uuid, name }));

const readers: Record<RecordKind, () => Promise<FindableRecord[]>> = {
  bot: async () => named('bot', (await api.get('/api/v1/platform/bots')).bots),
  pipeline: async () => named('pipeline', (await api.get('/api/v1/pipelines')).pipelines),
  'knowledge-base': async () => named('knowledge-base', (await api.get('/api/v1/knowledge/bases')).bases),
  provider: async () => named('provider', (await api.get('/api/v1/provider/providers')).providers),
  'language-model': async () => named('language-model', (await api.get('/api/v1/provider/models/llm')).models),
  'mcp-server': async () => named('mcp-server', (await api.get('/api/v1/mcp/servers')).servers),
  'api-key': async () =>
    (await api.get('/api/v1/apikeys')).keys.map(({ id, name }) => ({ kind: 'api-key', id: String(id), name })),
};

/** All records of some kinds. Kinds that fail to load are omitted. */
export async function findableRecords(kinds: readonly RecordKind[]): Promise<FindableRecord[]> {
  const read = await Promise.allSettled(kinds.map((kind) => readers[kind]()));
  return read.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}
