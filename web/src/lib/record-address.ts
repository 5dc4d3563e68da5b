/** The route and parameters of the page of each record kind. `$uuid` is replaced with the id. */
const pagesOfKinds: Readonly<Record<string, { page: string; search?: Record<string, string>; kind?: string }>> = {
  bot: { page: '/bots/$uuid' },
  pipeline: { page: '/pipelines/$uuid' },
  'knowledge-base': { page: '/knowledge/$uuid' },
  provider: { page: '/models/providers/$uuid' },
  'language-model': { page: '/models/$kind/$uuid', kind: 'llm' },
  'embedding-model': { page: '/models/$kind/$uuid', kind: 'embedding' },
  'rerank-model': { page: '/models/$kind/$uuid', kind: 'rerank' },
  'model-price': { page: '/models', search: { tab: 'prices' } },
  'mcp-server': { page: '/tools/servers/$uuid' },
  // Runs of tools are recorded under the uuid of their server.
  tool: { page: '/tools/servers/$uuid' },
  'api-key': { page: '/api-keys' },
  webhook: { page: '/webhooks' },
  'alert-rule': { page: '/alerts/rules/$uuid' },
  'alert-target': { page: '/alerts/targets/$uuid' },
  'sensitive-words': { page: '/system', search: { tab: 'words' } },
  task: { page: '/system', search: { tab: 'tasks', task: '$uuid' } },
  session: { page: '/account' },
  account: { page: '/accounts' },
};

/** A location in the console, for links and the router. */
export interface RecordAddress {
  to: string;
  search: Record<string, string>;
}

/**
 * The page of a record; null if its kind has no page.
 * @param pages the paths of all routes
 */
export function recordAddress(kind: string, id: string, pages: readonly string[]): RecordAddress | null {
  const { page = '', search = {}, kind: segment = '' } = pagesOfKinds[kind] ?? {};
  const takesId = page.includes('$uuid') || Object.values(search).includes('$uuid');
  if (!pages.includes(page) || (takesId && id === '')) return null;
  const given = Object.entries(search).map(([name, value]) => [name, value === '$uuid' ? id : value]);
  return {
    to: page.replace('$kind', segment).replace('$uuid', () => encodeURIComponent(id)),
    search: Object.fromEntries(given),
  };
}
