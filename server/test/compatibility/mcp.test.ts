import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeMcpServer, startFakeMcp } from '../../src/mcp/testing/fake-mcp-server.ts';
import { startTestService } from '../factories/start-test-service.ts';
import { ReferenceClient } from './reference-client.ts';

const service = await startTestService({ config: { mcpStdioCommands: ['no-such-command'] } });
const client = new ReferenceClient(service);
const list = '/api/v1/mcp/servers';
const patience = { timeout: 15_000 };

let fake: FakeMcpServer;
beforeAll(async () => {
  fake = await startFakeMcp({ look_up: () => ({ content: [] }) });
});
afterAll(async () => {
  await service.stop();
  await fake.close();
});

const shown = async (name: string) => (await client.get(`${list}/${name}`)).server;

describe('the pages of MCP servers', () => {
  it('POST /api/v1/mcp/servers: with what the form holds for each mode, and once for each name', async () => {
    const remote = { url: fake.url, headers: { Authorization: 'Bearer 0123456789' }, timeout: 10 };
    const forms = [
      { name: 'Remote', mode: 'http', enable: true, extra_args: remote },
      { name: 'Events', mode: 'sse', enable: false, extra_args: { ...remote, ssereadtimeout: 30 } },
      { name: 'Local', mode: 'stdio', enable: false, extra_args: { command: 'no-such-command', args: [], env: {} } },
    ];
    for (const form of forms) expect(await client.post(list, form)).toEqual({ uuid: expect.any(String) });
    expect((await client.refused('POST', list, forms[0])).status).toBe(409);
    expect((await client.refused('POST', list, { ...forms[0], name: 'x', runtime: 1 })).status).toBe(400);
    expect(
      (await client.refused('POST', list, { name: 'x', mode: 'stdio', extra_args: { command: 'rm' } })).status,
    ).toBe(403);
  });

  it('GET /api/v1/mcp/servers: each with how it is, a disabled one with null', async () => {
    const { servers } = await client.get(list);
    expect(servers).toMatchObject([
      {
        name: 'Remote',
        enable: true,
        mode: 'http',
        runtime_info: { status: expect.stringMatching(/^connect(ing|ed)$/) },
      },
      { name: 'Events', enable: false, runtime_info: null },
      { name: 'Local', enable: false, runtime_info: null },
    ]);
  });

  it('GET /api/v1/mcp/servers/{name}: with its tools, and with its secrets masked', async () => {
    await expect.poll(async () => (await shown('Remote')).runtime_info.status, patience).toBe('connected');
    expect(await shown('Remote')).toMatchObject({
      extra_args: { url: fake.url, headers: { Authorization: 'Bea…6789' }, timeout: 10 },
      runtime_info: { error_message: null, tool_count: 1, tools: [{ name: 'look_up', description: '' }] },
    });
    expect((await client.refused('GET', `${list}/Unknown`)).status).toBe(404);
  });

  it('PUT /api/v1/mcp/servers/{name}: the switch alone switches, a form without it leaves it', async () => {
    await client.put(`${list}/Events`, { enable: true });
    expect((await shown('Events')).runtime_info.status).toMatch(/^(connecting|error)$/);
    await client.put(`${list}/Events`, { extra_args: { url: fake.url, timeout: 5, ssereadtimeout: 5 } });
    expect(await shown('Events')).toMatchObject({ enable: true, extra_args: { timeout: 5, headers: {} } });
    await client.put(`${list}/Events`, { enable: false });
    expect((await shown('Events')).runtime_info).toBeNull();
    await client.put(`${list}/Remote`, await shown('Remote'));
    await expect.poll(async () => (await shown('Remote')).runtime_info.status, patience).toBe('connected');
    expect((await client.refused('PUT', `${list}/Unknown`, { enable: true })).status).toBe(404);
  });

  it('POST /api/v1/mcp/servers/{name}/test: a task whose result lists the tools, saved or not', async () => {
    const { name, mode, enable, extra_args } = await shown('Remote');
    for (const url of [`${list}/Remote/test`, `${list}/_/test`]) {
      const { task_id } = await client.post(url, { name, mode, enable, extra_args });
      const task = () => client.get(`/api/v1/system/tasks/${task_id}`);
      await expect.poll(async () => (await task()).runtime.done, patience).toBe(true);
      expect(await task()).toMatchObject({
        kind: 'mcp-operation',
        name: 'mcp-test-Remote',
        runtime: { exception: null, result: { tools: [{ name: 'look_up' }] } },
      });
    }
    expect(fake.sessions()).toBe(1);
    expect((await client.refused('POST', `${list}/Unknown/test`, {})).status).toBe(404);
  });

  it('DELETE /api/v1/mcp/servers/{name}: gone, also from the pipelines that name it', async () => {
    const { uuid } = await shown('Remote');
    const [{ uuid: pipeline }] = (await client.get('/api/v1/pipelines')).pipelines;
    const extensions = `/api/v1/pipelines/${pipeline}/extensions`;
    await client.put(extensions, { enable_all_mcp_servers: false, bound_mcp_servers: [uuid] });
    expect((await client.get(extensions)).available_mcp_servers).toEqual((await client.get(list)).servers);
    await client.delete(`${list}/Remote`);
    expect(fake.sessions()).toBe(0);
    expect(await client.get(extensions)).toMatchObject({ enable_all_mcp_servers: false, bound_mcp_servers: [] });
    expect((await client.refused('DELETE', `${list}/Remote`)).status).toBe(404);
  });
});
