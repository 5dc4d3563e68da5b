import { afterAll, describe, expect, it } from 'vitest';
import { badCredentials, everyCredential } from '../../../../test/factories/every-credential.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService();
const bearer = service.account.token;
const list = '/api/v1/provider/requesters';
const credentials = await everyCredential(service, 'read');

afterAll(() => service.stop());

const read = (path: string) => service.request({ url: `${list}${path}`, bearer });
const names = async (query: string) =>
  (await read(query)).body.data.requesters.map(({ name }: { name: string }) => name);

describe('GET /api/v1/provider/requesters', () => {
  it('lists every requester as it is read alone', async () => {
    const all = await names('');
    expect(all).toEqual(expect.arrayContaining(['openai-chat-completions', 'demo', 'siliconflow-chat-completions']));
    expect(new Set(all).size).toBe(all.length);
    const { requesters } = (await read('')).body.data;
    for (const requester of requesters) {
      expect((await read(`/${requester.name}`)).body.data).toEqual({ requester });
    }
  });

  it('lists those of a kind of model', async () => {
    expect(await names('?type=')).toEqual(await names(''));
    expect(await names('?type=llm')).toContain('demo');
    expect(await names('?type=text-embedding')).not.toContain('demo');
    expect(await names('?type=text-embedding')).toContain('openai-chat-completions');
    expect(await names('?type=rerank')).toEqual([
      'zhipuai-chat-completions',
      'jina',
      'siliconflow-chat-completions',
      'openrouter-chat-completions',
      'new-api-chat-completions',
      'together-chat-completions',
    ]);
    expect(await names('?type=image')).toEqual([]);
  });

  it('answers 400 to a type that came twice', async () => {
    const answer = await read('?type=llm&type=rerank');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: -1, details: [{ path: 'query.type' }] });
  });
});

describe('GET /api/v1/provider/requesters/{name}', () => {
  it('tells how a provider is set up', async () => {
    const { requester } = (await read('/siliconflow-chat-completions')).body.data;
    expect(requester).toMatchObject({
      name: 'siliconflow-chat-completions',
      label: { en_US: 'SiliconFlow', zh_Hans: '硅基流动' },
      icon: 'siliconflow-chat-completions.svg',
      spec: {
        config: [{ name: 'base_url', type: 'string', required: true, default: 'https://api.siliconflow.cn/v1' }],
        support_type: ['llm', 'text-embedding', 'rerank'],
        provider_category: 'maas',
      },
    });
    expect((await read('/demo')).body.data.requester.spec).toMatchObject({ config: [], provider_category: 'builtin' });
  });

  it.each(credentials)('answers %s', async (_name, part) => {
    expect((await service.request({ url: `${list}/demo`, ...part })).status).toBe(200);
  });

  it.each(badCredentials)('answers 401 to %s', async (_name, part) => {
    expect((await service.request({ url: `${list}/demo`, ...part })).status).toBe(401);
    expect((await service.request({ url: list, ...part })).status).toBe(401);
  });

  it.each(['unknown', '__proto__', '%00', 'a'.repeat(90)])('answers 404 to %s', async (name) => {
    for (const path of [`/${name}`, `/${name}/icon`]) {
      const answer = await read(path);
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ code: -1, msg: 'requester not found', reason: 'not_found' });
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });
});

describe('GET /api/v1/provider/requesters/{name}/icon', () => {
  it('returns a public picture that pages of any origin may show and that can execute nothing', async () => {
    const answer = await service.request({ url: `${list}/siliconflow-chat-completions/icon` });
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/^<svg .*>SF<\/text><\/svg>$/);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  it('is the logo of a brand that is known', async () => {
    const { status, text } = await service.request({ url: `${list}/anthropic-messages/icon` });
    expect(status).toBe(200);
    expect(text).toMatch(/^<svg .*<path [^>]+\/><\/svg>$/);
  });
});
