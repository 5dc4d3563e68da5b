import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

async function readNames(): Promise<Map<string, string>> {
  const [llm, embedding, rerank, bases, bots, servers] = await Promise.all([
    api.get('/api/v1/provider/models/llm').then(({ models }) => models),
    api.get('/api/v1/provider/models/embedding').then(({ models }) => models),
    api.get('/api/v1/provider/models/rerank').then(({ models }) => models),
    api.get('/api/v1/knowledge/bases').then((answer) => answer.bases),
    api.get('/api/v1/platform/bots').then((answer) => answer.bots),
    api.get('/api/v1/mcp/servers').then((answer) => answer.servers),
  ]);
  const records = [...llm, ...embedding, ...rerank, ...bases, ...bots, ...servers];
  return new Map(records.map(({ uuid, name }) => [uuid, name]));
}

/** Names of records that a configuration may refer to. Until they are loaded, ids are shown. */
export function useRecordNames(): (uuid: string) => string {
  const names = useQuery({ queryKey: ['pipelines', 'record-names'], queryFn: readNames });
  return (uuid) => names.data?.get(uuid) ?? uuid;
}
