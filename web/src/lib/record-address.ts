/** Where a record of each kind is shown. `$uuid` stands for its id; pages of kinds that have no page of their own list it. */
const addresses: Readonly<Record<string, string>> = {
  bot: '/bot/$uuid',
  pipeline: '/pipelines/$uuid',
  'knowledge-base': '/knowledge/$uuid',
  provider: '/models',
  'language-model': '/models',
  'embedding-model': '/models',
  'rerank-model': '/models',
  'model-price': '/models',
  'mcp-server': '/tools',
  'api-key': '/api-keys',
  webhook: '/webhooks',
  'sensitive-words': '/system?tab=words',
  task: '/system?tab=tasks&task=$uuid',
  session: '/account',
  account: '/account',
};

/** A place in the console, as links and the router take it. */
export interface RecordAddress {
  to: string;
  search: Record<string, string>;
}

/**
 * Where the console shows a record; null when its kind has no page.
 * @param pages the paths of all pages, as the router names them
 */
export function recordAddress(kind: string, id: string, pages: readonly string[]): RecordAddress | null {
  const [page = '', search = ''] = (addresses[kind] ?? '').split('?');
  if (!pages.includes(page) || (addresses[kind]?.includes('$uuid') && id === '')) return null;
  const given = Object.fromEntries(new URLSearchParams(search.replace('$uuid', encodeURIComponent(id))));
  return { to: page.replace('$uuid', encodeURIComponent(id)), search: given };
}
