import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountCalls } from '../../../../test/factories/account-calls.ts';
import { startTestService, type TestService } from '../../../../test/factories/start-test-service.ts';
import { type FakeCall, type FakeMcpServer, startFakeMcp } from '../../../mcp/testing/fake-mcp-server.ts';

const base = '/api/v1/mcp/servers';
const patience = { timeout: 15_000 };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
afterEach(() => ok('DELETE', at('far')));

const { request, ok } = accountCalls(() => service);
const at = (name: string) => `${base}/${name}`;
const read = async (name: string) => (await ok('GET', at(name))).server;

describe('a tool that is run from its page', () => {
  const calls: Record<string, FakeCall> = {};
  let far: FakeMcpServer;
  let uuid: string;
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'array', items: { type: 'integer' } } },
    required: ['city'],
  };
  beforeAll(async () => {
    far = await startFakeMcp(calls);
    far.setPages([[{ name: 'weather/now', inputSchema: schema }]]);
  });
  afterAll(() => far.close());
  beforeEach(async () => {
    const server = { name: 'far', mode: 'http', enable: true, extra_args: { url: far.url } };
    ({ uuid } = await ok('POST', base, server));
    await expect.poll(async () => (await read('far')).runtime_info.status, patience).toBe('connected');
  });
  const run = (json: object = {}) =>
    request('POST', `${at('far')}/tools/run`, { tool: 'weather/now', parameters: { city: 'Ulm' }, ...json });
  const recorded = async () => {
    const rows = await service.database
      .selectFrom('audit_entries')
      .select(['action', 'after', 'actor_name'])
      .where('record_id', '=', uuid)
      .where('record_kind', '=', 'tool')
      .orderBy('id')
      .execute();
    return rows.map(({ action, after, actor_name }) => [action, actor_name, JSON.parse(after ?? 'null')]);
  };
  const never = () => new Promise<never>(() => undefined);

  it('answers with its text and its images, and is recorded with who ran it', async () => {
    const image = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' };
    calls['weather/now'] = ({ city }) => ({ content: [{ type: 'text', text: `Sunny in ${city}` }, image] });
    const { status, body } = await run();
    expect([status, body.data]).toEqual([
      200,
      {
        text: 'Sunny in Ulm\n[An image (image/png) is attached to the answer]',
        attachments: [{ type: 'Image', base64: 'data:image/png;base64,aGVsbG8=' }],
        milliseconds: expect.any(Number),
      },
    ]);
    const about = { name: 'weather/now', server: 'far' };
    const { user } = service.account;
    const result = body.data.text;
    expect(await recorded()).toEqual([
      ['tool.run', user, { ...about, parameters: '{"city":"Ulm"}' }],
      [
        'tool.end-run',
        user,
        expect.objectContaining({ ...about, state: 'succeeded', reason: null, result, result_size: result.length }),
      ],
    ]);
  });

  it('is not called with invalid parameters, which are named', async () => {
    let times = 0;
    calls['weather/now'] = () => {
      times += 1;
      return { content: [] };
    };
    const { status, body } = await run({ parameters: { days: [1, 'x'] } });
    expect([status, body.reason]).toEqual([400, 'invalid_request']);
    expect(body.details).toEqual([
      { path: 'parameters.city', message: 'is required', rule: 'required' },
      { path: 'parameters.days[1]', message: 'must be integer', rule: 'type', limit: 'integer' },
    ]);
    const whole = await run({ parameters: JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`) });
    expect([whole.body.reason, whole.body.details]).toEqual([
      'invalid_request',
      [{ path: 'parameters', message: 'they may be nested at most 50 deep' }],
    ]);
    expect(times).toBe(0);
    const states = (await recorded()).map(([, , after]) => after.state);
    expect(states).toEqual([undefined, 'failed', undefined, 'failed']);
  });

  it('stops at its timeout, or when the client disconnects', async () => {
    const signals: AbortSignal[] = [];
    calls['weather/now'] = (_, { signal }) => {
      signals.push(signal);
      return never();
    };
    const { status, body } = await run({ timeout: 1 });
    expect([status, body.reason]).toEqual([504, 'tool_timeout']);
    const client = new AbortController();
    const gone = fetch(`${service.address}${at('far')}/tools/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${service.account.token}` },
      body: JSON.stringify({ tool: 'weather/now', parameters: { city: 'Ulm' } }),
      signal: client.signal,
    });
    await expect.poll(() => signals.length).toBe(2);
    client.abort();
    await expect(gone).rejects.toThrow();
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    await expect
      .poll(async () => (await recorded()).map(([, , { state, reason }]) => [state, reason]))
      .toEqual([
        [undefined, undefined],
        ['failed', 'tool_timeout'],
        [undefined, undefined],
        ['interrupted', 'client_closed_request'],
      ]);
  });

  it('fails with what the server says', async () => {
    calls['weather/now'] = () => ({ content: [{ type: 'text', text: 'no such city' }], isError: true });
    const { status, body } = await run();
    expect([status, body.reason, body.msg]).toEqual([422, 'tool_failed', 'no such city']);
  });

  it('runs once for an idempotency key', async () => {
    let times = 0;
    calls['weather/now'] = () => {
      times += 1;
      return { content: [{ type: 'text', text: `call ${times}` }] };
    };
    const once = () =>
      service.request({
        method: 'POST',
        url: `${at('far')}/tools/run`,
        bearer: service.account.token,
        headers: { 'idempotency-key': 'once' },
        json: { tool: 'weather/now', parameters: { city: 'Ulm' } },
      });
    expect((await once()).body.data.text).toBe('call 1');
    expect((await once()).body.data.text).toBe('call 1');
  });

  it('must exist, on an enabled server', async () => {
    expect((await run({ tool: 'weather_now' })).body).toMatchObject({ reason: 'not_found' });
    expect(await recorded()).toEqual([]);
    await ok('PUT', at('far'), { enable: false });
    expect((await run()).body).toMatchObject({ reason: 'conflict' });
    expect((await request('POST', `${at('unknown')}/tools/run`, { tool: 'x' })).status).toBe(404);
  });

  it('runs for signed-in admins only', async () => {
    const { key } = await service.createApiKey(['read', 'write', 'send', 'admin']);
    const url = `${at('far')}/tools/run`;
    const json = { tool: 'weather/now', parameters: { city: 'Ulm' } };
    expect((await service.request({ method: 'POST', url, apiKey: key, json })).status).toBe(403);
    expect((await service.request({ method: 'POST', url, json })).status).toBe(401);
  });
});
