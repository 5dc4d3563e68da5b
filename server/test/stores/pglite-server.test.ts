import { Client, Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelName, startModelApi } from '../factories/model-api.ts';
import { looksClosely } from '../shared/looks-closely.ts';
import { type PgliteServer, startPglite } from './pglite-server.ts';

let server: PgliteServer;
beforeAll(async () => {
  server = await startPglite();
});
afterAll(() => server.stop());

test('many connections ask at the same time, each gets its own answers', async () => {
  const pool = new Pool({ connectionString: server.url, max: 10 });
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, number) => {
      const { rows } = await pool.query(
        number % 2 === 0 ? 'select $1::int as it' : 'select $1::text as it, $2 as too',
        [number, ...(number % 2 === 0 ? [] : ['x'])],
      );
      return Number(rows[0].it);
    }),
  );
  expect(answers).toEqual(Array.from({ length: 200 }, (_, number) => number));
  await pool.end();
});

test('a prepared statement is that of its connection', async () => {
  const clients = [new Client(server.url), new Client(server.url)];
  for (const client of clients) await client.connect();
  const ask = (number: number) =>
    clients[number]?.query({ name: 'same', text: `select ${number}::int + $1::int as it`, values: [10] });
  for (const number of [0, 1, 0, 1]) expect((await ask(number))?.rows[0].it).toBe(number + 10);
  await Promise.all(clients.map((client) => client.end()));
});

test('transactions of several connections do not mix, and one whose connection breaks is undone', async () => {
  const pool = new Pool({ connectionString: server.url, max: 5 });
  await pool.query('create table counts (number int)');
  await pool.query('insert into counts values (0)');
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const client = await pool.connect();
      await client.query('begin');
      const { rows } = await client.query('select number from counts');
      await client.query('update counts set number = $1', [rows[0].number + 1]);
      await client.query('commit');
      client.release();
    }),
  );
  const broken = new Client({ connectionString: server.url });
  broken.on('error', () => {});
  await broken.connect();
  await broken.query('begin');
  await broken.query('update counts set number = 1000');
  (broken as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  expect((await pool.query('select number from counts')).rows).toEqual([{ number: 20 }]);
  await expect(pool.query('select nothing')).rejects.toThrow('nothing');
  expect((await pool.query("select '[1,2]'::text as it")).rows).toEqual([{ it: '[1,2]' }]);
  await pool.end();
});

test('has pgvector', async () => {
  const pool = new Pool({ connectionString: server.url });
  await pool.query('create extension vector');
  const { rows } = await pool.query("select '[1,0]'::vector <=> '[0,1]'::vector as distance");
  expect(rows).toEqual([{ distance: 1 }]);
  await pool.end();
});

test.runIf(looksClosely)('bears a whole service with messages under way', async () => {
  const own = await startPglite();
  const { client, model, stop } = await startModelApi({ databaseUrl: own.url });
  const answers = await Promise.all(
    Array.from({ length: 5 }, async (_, number) => {
      const { choices } = await client.chat.completions.create({
        model: modelName,
        user: `user-${number}`,
        messages: [{ role: 'user', content: `Question ${number}` }],
      });
      return choices[0]?.message.content;
    }),
  );
  expect(answers.every((answer) => typeof answer === 'string' && answer !== '')).toBe(true);
  expect(model.requests.length).toBe(5);
  await stop();
  await own.stop();
});
