import { Client } from 'pg';

/** Runs one statement over a new connection. @throws Error if it fails, except if the server stops afterwards */
export async function queryDatabase(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  // The server may end before the connection does.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
