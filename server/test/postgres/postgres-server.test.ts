import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import process from 'node:process';
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { migrations } from '../../src/storage/migrations/index.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { startPostgres } from './postgres-server.ts';
import { emptyDatabase, migratedDatabase } from './test-database.ts';

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function accepts(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => resolve(false));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

test('the shared server is a real one that writes to disk', async () => {
  const [row] = await query(
    await sharedResource('postgres'),
    `SELECT current_setting('server_version_num')::int AS version, current_setting('fsync') AS fsync,
       current_setting('listen_addresses') AS addresses, lower('ÄÖ') AS lowered`,
  );
  expect(row).toEqual({ version: expect.any(Number), fsync: 'on', addresses: '127.0.0.1', lowered: 'äö' });
  expect(row?.version).toBeGreaterThanOrEqual(150_000);
});

test('a fresh database is empty, separate and can be dropped while in use', async () => {
  const [one, two] = await Promise.all([emptyDatabase(), emptyDatabase()]);
  await query(one.url, 'CREATE TABLE thing (id int)');
  expect(await query(two.url, "SELECT to_regclass('thing') AS found")).toEqual([{ found: null }]);
  const open = new Client({ connectionString: one.url });
  // The server ends the connection with an error first, then closes it: two errors.
  open.on('error', () => {});
  await open.connect();
  const ended = new Promise<void>((resolve) => open.on('end', () => resolve()));
  await Promise.all([one.drop(), two.drop()]);
  await ended;
  await expect(query(one.url, 'SELECT 1')).rejects.toThrow(/does not exist/);
});

test('a migrated database has every table, and nothing in it', async () => {
  const [one, two] = await Promise.all([migratedDatabase(), migratedDatabase()]);
  await query(one.url, "INSERT INTO metadata (key, value) VALUES ('fact', 'of the first')");
  expect(await query(two.url, 'SELECT * FROM metadata')).toEqual([]);
  expect(await query(two.url, 'SELECT name FROM migrations ORDER BY name')).toEqual(
    migrations.map(({ name }) => ({ name })),
  );
  await Promise.all([one.drop(), two.drop()]);
});

test('a server ends when it is stopped', async () => {
  const server = await startPostgres();
  expect(await accepts(server.url)).toBe(true);
  await server.stop();
  expect(await accepts(server.url)).toBe(false);
});

test('a server ends when the process that started it is killed', async () => {
  const program = `
    import { startPostgres } from ${JSON.stringify(new URL('./postgres-server.ts', import.meta.url).href)};
    console.log((await startPostgres()).url);
  `;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  expect(await accepts(url)).toBe(true);
  owner.kill('SIGKILL');
  await vi.waitUntil(async () => !(await accepts(url)), { timeout: 10_000 });
});
