import type { Database } from './database.ts';

/** How many MCP servers and installed plugins there are: one limit holds for both together. */
export async function countExtensions(database: Pick<Database, 'selectFrom'>): Promise<number> {
  const count = async (query: { executeTakeFirstOrThrow(): Promise<{ count: string | number | bigint }> }) =>
    Number((await query.executeTakeFirstOrThrow()).count);
  const servers = database.selectFrom('mcp_servers').select(({ fn }) => fn.countAll().as('count'));
  const plugins = database.selectFrom('plugins').select(({ fn }) => fn.countAll().as('count'));
  return (await count(servers)) + (await count(plugins.where('installed', 'is not', null)));
}
