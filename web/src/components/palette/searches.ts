import { type components, ParleyApiError } from '@parley/client';
import { api } from '../../lib/api.ts';
import { markdownText } from '../../lib/markdown-text.ts';

/** Something that a search found. */
export interface Found {
  /** Unique among the finds of its kind. */
  id: string;
  name: string;
  /** Told apart from others by it. */
  hint?: string;
  /** Its page, with `to` as the address in the console. */
  to: string;
  search?: Record<string, string>;
}

/** What a kind of record has for a search. */
export interface Finds {
  found: Found[];
  /** All matches, of which `found` has some. */
  total: number;
}

export interface RecordSearch {
  /** The page of the list, whose icon the records have, and which the account must be allowed to open. */
  page: string;
  /** True for short lists, which are read once and searched here. */
  isWhole?: boolean;
  read: (text: string, signal: AbortSignal) => Promise<Finds>;
  /** The list with all matches. */
  all?: (text: string) => Pick<Found, 'to' | 'search'>;
}

/** Matches that are read, of which the best are shown: the server does not sort by how well they match. */
const limit = 20;
/** Shortest text for which messages are searched. */
const shortestText = 3;
/** Characters of a message that are shown. */
const excerptLength = 90;

const byName = (search: string) => ({ search, limit, sort_by: 'name', sort_order: 'ASC' }) as const;

/** By name, or the one with this id. */
const byNameOrId = (text: string) => (isUuid(text) ? { ids: text, limit } : byName(text));

/** How many there are; servers without paging answer all. */
function finds<Row>(rows: readonly Row[], total: number | undefined, foundOf: (row: Row) => Found): Finds {
  return { found: rows.map(foundOf), total: total ?? rows.length };
}

const modelsOf = (kind: 'llm' | 'embedding' | 'rerank'): RecordSearch => ({
  page: '/models',
  read: async (text, signal) => {
    const options = { params: { query: byNameOrId(text) }, signal };
    const { models, total } = await api.get(`/api/v1/provider/models/${kind}`, options);
    return finds(models as components['schemas']['LanguageModel'][], total, ({ uuid, name, provider }) => ({
      id: uuid,
      name,
      ...(provider !== undefined && { hint: provider.name }),
      to: `/models/${kind}/${uuid}`,
    }));
  },
  all: (q) => ({ to: '/models', search: { tab: 'models', kind, q } }),
});

/** The searches by kind of record, in the order of their groups. */
export const recordSearches = {
  bot: {
    page: '/bots',
    read: async (text, signal) => {
      const { bots, total } = await api.get('/api/v1/platform/bots', { params: { query: byNameOrId(text) }, signal });
      return finds(bots, total, ({ uuid, name }) => ({ id: uuid, name, to: `/bots/${uuid}` }));
    },
    all: (q) => ({ to: '/bots', search: { q } }),
  },
  pipeline: {
    page: '/pipelines',
    read: async (text, signal) => {
      const { pipelines, total } = await api.get('/api/v1/pipelines', { params: { query: byNameOrId(text) }, signal });
      return finds(pipelines, total, ({ uuid, name }) => ({ id: uuid, name, to: `/pipelines/${uuid}` }));
    },
    all: (q) => ({ to: '/pipelines', search: { q } }),
  },
  'knowledge-base': {
    page: '/knowledge',
    read: async (text, signal) => {
      const { bases, total } = await api.get('/api/v1/knowledge/bases', {
        params: { query: byNameOrId(text) },
        signal,
      });
      return finds(bases, total, ({ uuid, name }) => ({ id: uuid, name, to: `/knowledge/${uuid}` }));
    },
    all: (q) => ({ to: '/knowledge', search: { q } }),
  },
  document: {
    page: '/knowledge',
    read: async (text, signal) => {
      const options = { params: { query: { search: text, limit } }, signal };
      const { files, total } = await api.get('/api/v1/knowledge/files', options);
      return finds(files, total, ({ uuid, kb_id, file_name, title }) => ({
        id: uuid,
        name: file_name,
        ...(title !== null && title !== file_name && { hint: title }),
        to: `/knowledge/${kb_id}/files/${uuid}`,
      }));
    },
  },
  provider: {
    page: '/models',
    isWhole: true,
    read: async (_, signal) => {
      const { providers } = await api.get('/api/v1/provider/providers', { signal });
      return finds(providers, undefined, ({ uuid, name }) => ({ id: uuid, name, to: `/models/providers/${uuid}` }));
    },
  },
  'language-model': modelsOf('llm'),
  'embedding-model': modelsOf('embedding'),
  'rerank-model': modelsOf('rerank'),
  'mcp-server': {
    page: '/tools',
    isWhole: true,
    read: async (_, signal) => {
      const { servers } = await api.get('/api/v1/mcp/servers', { signal });
      return finds(servers, undefined, ({ uuid, name }) => ({ id: uuid, name, to: `/tools/servers/${uuid}` }));
    },
  },
  'api-key': {
    page: '/api-keys',
    read: async (text, signal) => {
      const { keys, total } = await api.get('/api/v1/apikeys', { params: { query: byName(text) }, signal });
      return finds(keys, total, ({ id, name }) => ({ id: String(id), name, to: '/api-keys', search: { q: name } }));
    },
    all: (q) => ({ to: '/api-keys', search: { q } }),
  },
  webhook: {
    page: '/webhooks',
    read: async (text, signal) => {
      const { webhooks, total } = await api.get('/api/v1/webhooks', { params: { query: byName(text) }, signal });
      return finds(webhooks, total, ({ id, name }) => ({ id: String(id), name, to: `/webhooks/${id}` }));
    },
    all: (q) => ({ to: '/webhooks', search: { q } }),
  },
  'alert-rule': {
    page: '/alerts',
    isWhole: true,
    read: async (_, signal) => {
      const { rules } = await api.get('/api/v1/alerts/rules', { signal });
      return finds(rules, undefined, ({ uuid, name }) => ({ id: uuid, name, to: `/alerts/rules/${uuid}` }));
    },
  },
  'alert-target': {
    page: '/alerts',
    isWhole: true,
    read: async (_, signal) => {
      const { targets } = await api.get('/api/v1/alerts/targets', { signal });
      return finds(targets, undefined, ({ uuid, name }) => ({ id: uuid, name, to: `/alerts/targets/${uuid}` }));
    },
  },
  account: {
    page: '/accounts',
    isWhole: true,
    read: async (_, signal) => {
      const { accounts } = await api.get('/api/v1/accounts', { signal });
      return finds(accounts, undefined, ({ uuid, user }) => ({ id: uuid, name: user, to: '/accounts' }));
    },
  },
  message: {
    page: '/messages',
    read: async (text, signal) => {
      if (isUuid(text)) return messageWithId(text, signal);
      if (text.length < shortestText) return { found: [], total: 0 };
      const query = { text: text.slice(0, 200), limit: 5 };
      const { messages, next_cursor } = await api.get('/api/v1/messages', { params: { query }, signal });
      return {
        found: messages.map((message) => messageOf(message, text)),
        total: messages.length + (next_cursor === null ? 0 : 1),
      };
    },
    all: (text) => ({ to: '/messages', search: { text } }),
  },
} as const satisfies Record<string, RecordSearch>;

export type RecordKind = keyof typeof recordSearches;
export const recordKinds = Object.keys(recordSearches) as RecordKind[];

export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

async function messageWithId(id: string, signal: AbortSignal): Promise<Finds> {
  try {
    const params = { path: { message_uuid: id } };
    const { message } = await api.get('/api/v1/messages/{message_uuid}', { params, signal });
    return { found: [messageOf(message, '')], total: 1 };
  } catch (error) {
    if (error instanceof ParleyApiError && error.status === 404) return { found: [], total: 0 };
    throw error;
  }
}

function messageOf(
  {
    uuid,
    text,
    direction,
    sender_name,
    session_name,
  }: Pick<components['schemas']['Message'], 'uuid' | 'text' | 'direction' | 'sender_name' | 'session_name'>,
  search: string,
): Found {
  return {
    id: uuid,
    name: excerpt((direction === 'outbound' ? markdownText(text) : text).replace(/\s+/g, ' '), search) || uuid,
    hint: sender_name || session_name || '',
    to: `/messages/${uuid}`,
  };
}

/** The part of a text with the first match. */
function excerpt(text: string, search: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(search.toLowerCase()));
  const start = at <= excerptLength / 2 ? 0 : at - 20;
  const part = text.slice(start, start + excerptLength);
  return `${start > 0 ? '…' : ''}${part}${start + excerptLength < text.length ? '…' : ''}`;
}
