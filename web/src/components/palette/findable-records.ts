import { api } from '../../lib/api.ts';

/** What can be found by name, with the page whose icon stands for it. */
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

const readers: readonly (() => Promise<FindableRecord[]>)[] = [
  async () => named('bot', (await api.get('/api/v1/platform/bots')).bots),
  async () => named('pipeline', (await api.get('/api/v1/pipelines')).pipelines),
  async () => named('knowledge-base', (await api.get('/api/v1/knowledge/bases')).bases),
  async () => named('provider', (await api.get('/api/v1/provider/providers')).providers),
  async () => named('language-model', (await api.get('/api/v1/provider/models/llm')).models),
  async () => named('mcp-server', (await api.get('/api/v1/mcp/servers')).servers),
  async () =>
    (await api.get('/api/v1/apikeys')).keys.map(({ id, name }) => ({ kind: 'api-key', id: String(id), name })),
];

/** All records with a name. What cannot be read is left out: the others can still be found. */
export async function findableRecords(): Promise<FindableRecord[]> {
  const read = await Promise.allSettled(readers.map((reader) => reader()));
  return read.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}
