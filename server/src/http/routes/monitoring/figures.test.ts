import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeMonitoredLedger } from '../../../../test/factories/monitored-ledger.ts';
import { startTestService, type TestService } from '../../../../test/factories/start-test-service.ts';
import { exportRecords } from './export.ts';

const service: TestService = await startTestService({ listen: false });
const bearer = service.account.token;
const read = (path: string) => service.request({ url: `/api/v1/monitoring/${path}`, bearer });
const data = async (path: string) => (await read(path)).body.data;
let bot: string;
let pipeline: string;

beforeAll(async () => {
  const json = { name: 'Answers' };
  const made = await service.request({ method: 'POST', url: '/api/v1/pipelines', bearer, json });
  pipeline = made.body.data.uuid;
  bot = await service.createBot({ adapter: 'websocket', name: 'Helper' });
  await writeMonitoredLedger(service.database, { bot_uuid: bot, pipeline_uuid: pipeline });
});
afterAll(() => service.stop());

describe('GET /api/v1/monitoring/series', () => {
  it('has a point for each of the last hours or days', async () => {
    const hours = await data('series?metric=messages');
    expect(hours).toMatchObject({ metric: 'messages', interval: 'hour' });
    expect(hours.points).toHaveLength(24);
    expect(hours.points.reduce((sum: number, { value }: { value: number }) => sum + value, 0)).toBe(5);
    const days = await data('series?metric=cost&interval=day');
    expect(days.points).toHaveLength(30);
    expect(days.points.at(-1)).toEqual({ timestamp: expect.stringMatching(/T00:00:00.000Z$/), value: 0.013 });
  });

  it.each([
    ['messages', `botId=other`, 0],
    ['messages', '', 5],
    ['failures', '', 2],
    ['llm_calls', '', 4],
    ['llm_calls', 'model=small', 3],
    ['llm_failures', 'model=small&model=large', 2],
    ['input_tokens', '', 117],
    ['output_tokens', 'model=large', 20],
    ['tool_calls', '', 1],
    ['tool_failures', '', 1],
    ['embedding_calls', '', 0],
  ])('of %s with "%s" is %d', async (metric, filter, value) => {
    const { points } = await data(`series?metric=${metric}&interval=day&startTime=2026-01-01&${filter}`);
    expect(points.at(-1).value).toBe(value);
  });

  it('tells how long answers took', async () => {
    const { points } = await data('series?metric=latency&interval=day');
    expect(points.at(-1)).toEqual({
      timestamp: expect.any(String),
      value: expect.any(Number),
      p95: expect.any(Number),
    });
    expect(points[0]).toEqual({ timestamp: expect.any(String), value: null, p95: null });
  });

  it.each([
    ['', 'metric'],
    ['metric=wishes', 'metric'],
    ['metric=cost&interval=week', 'interval'],
    ['metric=messages&startTime=2000-01-01', 'startTime'],
    ['metric=messages&model=small', 'model'],
    ['metric=messages&endTime=never', 'endTime'],
  ])('refuses "%s"', async (query, field) => {
    const answer = await read(`series?${query}`);
    expect([answer.status, answer.body.details[0].path]).toEqual([400, `query.${field}`]);
  });

  it('has no points where the window is empty', async () => {
    expect((await data('series?metric=cost&startTime=2026-02-01&endTime=2026-01-01')).points).toEqual([]);
  });
});

describe('GET /api/v1/monitoring/figures', () => {
  it('tells what went on in a window', async () => {
    const figures = {
      received: 3,
      sent: 2,
      success_rate: 33.33,
      errors: 2,
      llm_calls: 4,
      input_tokens: 117,
      output_tokens: 23,
      cost: 0.013,
      latency: { median: expect.any(Number), p95: expect.any(Number) },
    };
    expect(await data('figures')).toEqual(figures);
    expect(await data(`figures?botId=${bot}&startTime=2026-01-01`)).toEqual(figures);
    const { total } = await data('errors?limit=0');
    // The list has failed calls of messages that were answered all the same as well.
    expect(total).toBe(figures.errors + 2);
  });

  it('says nothing of what did not happen', async () => {
    expect(await data('figures?endTime=2026-01-01')).toEqual({
      received: 0,
      sent: 0,
      success_rate: null,
      errors: 0,
      latency: null,
      llm_calls: 0,
      input_tokens: 0,
      output_tokens: 0,
      cost: 0,
    });
    expect((await read('figures?startTime=soon')).status).toBe(400);
  });
});

describe('GET /api/v1/monitoring/costs', () => {
  it('tells what was spent on each model', async () => {
    expect((await data('costs')).costs).toEqual([
      {
        id: 'large',
        name: 'large',
        llm_calls: 1,
        llm_failures: 0,
        input_tokens: 100,
        output_tokens: 20,
        total_tokens: 120,
        cost: 0.0125,
      },
      {
        id: 'small',
        name: 'small',
        llm_calls: 3,
        llm_failures: 2,
        input_tokens: 17,
        output_tokens: 3,
        total_tokens: 20,
        cost: 0.0005,
      },
    ]);
  });

  it('tells who spent it', async () => {
    expect((await data('costs?groupBy=bot')).costs).toMatchObject([{ id: bot, name: 'Helper', cost: 0.013 }]);
    expect((await data('costs?groupBy=pipeline&model=small')).costs).toMatchObject([
      { id: pipeline, name: 'Answers', llm_calls: 3 },
    ]);
    expect((await data('costs?endTime=2026-01-01')).costs).toEqual([]);
    expect((await read('costs?groupBy=person')).status).toBe(400);
  });
});

it('lists calls of tools', async () => {
  const { tool_calls, total } = await data('tool-calls');
  expect(total).toBe(1);
  expect(tool_calls[0]).toMatchObject({
    tool_name: 'count',
    status: 'error',
    error_message: 'No numbers',
    duration: 5,
  });
});

describe('GET /api/v1/monitoring/export', () => {
  it.each([
    ['messages', 5],
    ['llm-calls', 4],
    ['tool-calls', 1],
    ['errors', 4],
    ['sessions', 3],
    ['feedback', 0],
    ['embedding-calls', 0],
  ])('gives %s as a table and as lines of JSON', async (type, count) => {
    const table = (await read(`export?type=${type}`)).text;
    expect(table.split('\n')).toHaveLength(count + 2);
    const answer = await read(`export?type=${type}&format=json`);
    expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(answer.headers['content-disposition']).toMatch(/\.ndjson"$/);
    const lines = answer.text.split('\n');
    expect(lines.pop()).toBe('');
    const records = lines.map((line) => JSON.parse(line));
    const list = await data(type);
    expect(records).toEqual(list[type.replace('-', '_')]);
  });

  it('gives no more than was asked for', async () => {
    expect((await read('export?type=messages&limit=2')).text.split('\n')).toHaveLength(4);
    expect((await read('export?type=messages&limit=0')).text.split('\n')).toHaveLength(2);
    expect((await read('export?type=errors&format=xml')).status).toBe(400);
  });

  it('ends when the client goes away', async () => {
    let reads = 0;
    let ended = false;
    const record = { id: 'x'.repeat(10_000) };
    const endless = {
      async *records() {
        try {
          for (;;) {
            reads += 1;
            yield Array(100).fill(record);
          }
        } finally {
          ended = true;
        }
      },
    };
    const query = { kind: 'llm-calls', filter: {}, limit: 1e9, format: 'json' } as const;
    const stream = await exportRecords(endless as never, query);
    await once(stream, 'readable');
    // The response is not read, so no more records are read than fill the buffer.
    const before = reads;
    await new Promise(setImmediate);
    expect(reads - before).toBeLessThan(3);
    stream.destroy();
    await expect.poll(() => ended).toBe(true);
  });

  it('is not begun when it cannot be read', async () => {
    const failing = { records: () => ({ next: () => Promise.reject(new Error('no')) }) };
    const query = { kind: 'errors', filter: {}, limit: 1, format: 'csv' } as const;
    await expect(exportRecords(failing as never, query)).rejects.toThrow('no');
  });

  it('comes over a socket', async () => {
    const address = await service.service.server.listen({ host: '127.0.0.1', port: 0 });
    const url = `${address}/api/v1/monitoring/export?type=sessions`;
    const asked = get(url, { headers: { authorization: `Bearer ${bearer}` } });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const text = (await response.setEncoding('utf8').toArray()).join('');
    expect([response.statusCode, response.headers['transfer-encoding']]).toEqual([200, 'chunked']);
    expect(text.split('\n')[1]).toContain('group_team');
  });

  it('has no answer to HEAD, which would read all of it', async () => {
    const answer = await service.request({ method: 'HEAD', url: '/api/v1/monitoring/export?type=errors', bearer });
    expect([404, 405]).toContain(answer.status);
  });
});
