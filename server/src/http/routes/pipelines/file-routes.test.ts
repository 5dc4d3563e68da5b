import { afterAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../../../test/factories/start-test-service.ts';

const services: TestService[] = [];
afterAll(async () => {
  for (const service of services) await service.stop();
});

async function installation() {
  const service = await startTestService();
  services.push(service);
  const request = (method: string, url: string, json?: object) =>
    service.request({ method, url: `/api/v1${url}`, bearer: service.account.token, ...(json && { json }) });
  const data = async (method: string, url: string, json?: object) => {
    const answer = await request(method, url, json);
    if (answer.status !== 200) throw new Error(`${method} ${url}: ${answer.text}`);
    return answer.body.data;
  };
  return { service, request, data };
}

async function withModel(data: Awaited<ReturnType<typeof installation>>['data'], name: string): Promise<string> {
  const provider = {
    name,
    requester: 'openai-chat-completions',
    base_url: 'http://127.0.0.1:9/v1',
    api_keys: ['sk-x'],
  };
  const { uuid } = await data('POST', '/provider/providers', provider);
  return (await data('POST', '/provider/models/llm', { name, provider_uuid: uuid })).uuid;
}

const [here, there] = [await installation(), await installation()];
const [model, otherModel] = [await withModel(here.data, 'large'), await withModel(there.data, 'larger')];
const { uuid: server } = await here.data('POST', '/mcp/servers', {
  name: 'weather',
  enable: false,
  mode: 'http',
  extra_args: { url: 'http://127.0.0.1:9/mcp' },
});
const script = '<script>alert(1)</script>';
const { uuid } = await here.data('POST', '/pipelines', {
  name: `Support ${script}`,
  description: 'For shops',
  emoji: '🛟',
  config: {
    ai: {
      'local-agent': { model: { primary: model, fallbacks: [] }, prompt: [{ role: 'system', content: 'Be brief.' }] },
      'dify-service-api': { 'api-key': 'app-0123456789abcdef' },
    },
    output: { misc: { 'failure-hint': 'Sorry.' } },
  },
  extensions_preferences: {
    mcp_servers: [server],
    mcp_tool_users: { [server]: { allow: 'everyone', users: [] } },
  },
});
const file = await here.data('GET', `/pipelines/${uuid}/export`);
const bring = (json: object) => there.request('POST', '/pipelines/_/import', json);

describe('an exported pipeline', () => {
  it('names what it refers to, and has no secrets', () => {
    expect(file).toMatchObject({ format: 'parley-pipeline', format_version: 1 });
    expect(file.references).toEqual({
      models: { [model]: 'large' },
      knowledge_bases: {},
      mcp_servers: { [server]: 'weather' },
    });
    expect(file.pipeline.config.ai['dify-service-api']['api-key']).toBe('');
    expect(JSON.stringify(file)).not.toMatch(/0123456789abcdef|app…/);
  });

  it('is the same pipeline in another installation, where others are chosen for what is missing there', async () => {
    const refused = await bring({ file });
    expect(refused).toMatchObject({ status: 400, body: { reason: 'invalid_request' } });
    expect(refused.body.details).toEqual([
      {
        path: `replacements.${model}`,
        message: 'there is no language model "large": name another one',
        rule: 'missing',
      },
      {
        path: `replacements.${server}`,
        message: 'there is no MCP server "weather": name another one',
        rule: 'missing',
      },
    ]);
    const answer = await bring({ file, replacements: { [model]: otherModel, [server]: '' } });
    expect(answer.status).toBe(200);
    const [before, after] = [
      (await here.data('GET', `/pipelines/${uuid}`)).pipeline,
      (await there.data('GET', `/pipelines/${answer.body.data.uuid}`)).pipeline,
    ];
    before.config.ai['local-agent'].model.primary = otherModel;
    before.config.ai['dify-service-api']['api-key'] = '';
    for (const field of ['name', 'description', 'emoji', 'config']) expect(after[field]).toEqual(before[field]);
    expect(after.extensions_preferences).toMatchObject({ mcp_servers: [], mcp_tool_users: {} });
    const again = await there.data('GET', `/pipelines/${answer.body.data.uuid}/export`);
    expect(again.references.models).toEqual({ [otherModel]: 'larger' });
  });

  it('needs nothing to be chosen in its own installation', async () => {
    const { uuid: copy } = await here.data('POST', '/pipelines/_/import', { file });
    const { pipeline } = await here.data('GET', `/pipelines/${copy}`);
    expect(pipeline.name).toBe(`Support ${script}`);
    expect(pipeline.extensions_preferences.mcp_tool_users).toEqual({ [server]: { allow: 'everyone', users: [] } });
  });
});

describe('a file that is not as it was exported', () => {
  const choice = { replacements: { [model]: '', [server]: '' } };
  const altered = (change: (copy: typeof file) => void) => {
    const copy = structuredClone(file);
    change(copy);
    return copy;
  };

  it.each<[string, unknown]>([
    ['file.format', { hello: 'world' }],
    ['file.format', altered((copy) => Object.assign(copy, { format: 'n8n' }))],
    ['file.format_version', altered((copy) => Object.assign(copy, { format_version: 2 }))],
    ['file.format_version', altered((copy) => Object.assign(copy, { format_version: '1' }))],
    ['file.more', altered((copy) => Object.assign(copy, { more: 1 }))],
    ['file.pipeline.run', altered((copy) => Object.assign(copy.pipeline, { run: 'rm -rf /' }))],
    ['file.pipeline.name', altered((copy) => Object.assign(copy.pipeline, { name: '' }))],
    ['file.references.models', altered((copy) => Object.assign(copy.references, { models: [] }))],
    [
      'config.ai.local-agent.more',
      altered((copy) => Object.assign(copy.pipeline.config.ai['local-agent'], { more: 1 })),
    ],
    [
      'config.output.misc.failure-hint',
      altered((copy) => Object.assign(copy.pipeline.config.output.misc, { 'failure-hint': 1 })),
    ],
    ['file', 'a text'],
    ['file', undefined],
  ])('is refused with the field %s', async (path, given) => {
    const answer = await bring({ file: given, ...choice });
    expect(answer.status).toBe(400);
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('is not read if it is too large', async () => {
    const huge = altered((copy) => Object.assign(copy.pipeline, { description: 'x'.repeat(10 * 1024 * 1024) }));
    expect((await bring({ file: huge, ...choice })).status).toBe(413);
  });

  it('is for admins', async () => {
    const { key: apiKey } = await there.service.createApiKey(['read']);
    const url = '/api/v1/pipelines/_/import';
    expect((await there.service.request({ method: 'POST', url, apiKey, json: { file } })).status).toBe(403);
  });
});

describe('POST /api/v1/platform/bots/{bot_uuid}/copy', () => {
  it('makes a disabled bot with the same settings and secrets', async () => {
    const bot = {
      name: 'Parrot',
      adapter: 'telegram',
      adapter_config: { token: '12:secret-token-of-a-bot' },
      enable: false,
    };
    const { uuid: original } = await here.data('POST', '/platform/bots', { ...bot, use_pipeline_uuid: uuid });
    const { uuid: copied } = await here.data('POST', `/platform/bots/${original}/copy`);
    const shown = async (one: string) => (await here.data('GET', `/platform/bots/${one}`)).bot;
    const [before, after] = [await shown(original), await shown(copied)];
    expect(after).toMatchObject({
      name: 'Parrot (Copy)',
      enable: false,
      use_pipeline_uuid: uuid,
      adapter_config: before.adapter_config,
    });
    const rows = await here.service.database.selectFrom('bots').select(['uuid', 'sealed_secrets']).execute();
    const sealed = new Map(rows.map((row) => [row.uuid, row.sealed_secrets]));
    expect(sealed.get(copied)).toMatch(/^v1\./);
    expect(sealed.get(copied)).not.toBe(sealed.get(original));
    // The secret opens under the name of the copy.
    expect(
      (await here.request('PUT', `/platform/bots/${copied}`, { adapter_config: after.adapter_config })).status,
    ).toBe(200);
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x']) {
      expect((await here.request('POST', `/platform/bots/${id}/copy`)).status).toBe(404);
    }
  });
});
