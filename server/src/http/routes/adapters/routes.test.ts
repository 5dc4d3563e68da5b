import { afterAll, describe, expect, it } from 'vitest';
import { badCredentials, everyCredential } from '../../../../test/factories/every-credential.ts';
import { createFakePlatform } from '../../../../test/factories/fake-platform.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const fake = createFakePlatform();
const drawn = createFakePlatform({ name: 'drawn' });
const icon = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>';
const setup_steps = [{ en_US: 'Make a **bot**.' }, { en_US: 'Copy its token.' }];
Object.assign(drawn.platform, { icon, setup_steps, testable: true });
drawn.implementation.test = async ({ token }) => ({
  id: '5',
  name: null,
  findings: [
    { level: 'error', field: 'token', text: { en_US: `The token ${token} cannot read`, ja_JP: `${token}` } },
    { level: 'warning', text: { en_US: 'No picture' } },
  ],
});
const platforms = [fake.platform, drawn.platform];
const service = await startTestService({ extensions: { platforms }, listen: false });
const bearer = service.account.token;
const list = '/api/v1/platform/adapters';
const credentials = await everyCredential(service, 'read');

afterAll(() => service.stop());

describe('GET /api/v1/platform/adapters', () => {
  it.each(credentials)('is answered to %s', async (_name, part) => {
    expect((await service.request({ url: list, ...part })).status).toBe(200);
  });

  it.each(badCredentials)('answers 401 to %s', async (_name, part, msg) => {
    for (const url of [list, `${list}/fake`]) {
      const answer = await service.request({ url, ...part });
      expect([answer.status, answer.body.msg]).toEqual([401, msg]);
    }
  });

  it('lists every platform as it is read alone, except the web chat', async () => {
    const { adapters } = (await service.request({ url: list, bearer })).body.data;
    const names = adapters.map(({ name }: { name: string }) => name);
    expect(names).toContain('fake');
    expect(names).not.toContain('websocket');
    for (const adapter of adapters) {
      const alone = await service.request({ url: `${list}/${adapter.name}`, bearer });
      expect(alone.body.data).toEqual({ adapter });
    }
  });
});

describe('GET /api/v1/platform/adapters/{name}', () => {
  it('tells what a platform is and what its bots need', async () => {
    const { adapter } = (await service.request({ url: `${list}/fake`, bearer })).body.data;
    expect(adapter).toEqual({
      name: 'fake',
      label: { en_US: 'Fake platform' },
      description: { en_US: 'A platform for tests' },
      icon: 'fake.svg',
      spec: {
        categories: ['global'],
        help_links: { en: 'https://example.com/help' },
        config: expect.arrayContaining([
          expect.objectContaining({ name: 'token', type: 'string', secret: true, default: '' }),
          expect.objectContaining({ name: 'nickname', type: 'string', default: 'fake' }),
        ]),
        setup_steps: [],
        testable: false,
      },
    });
  });

  it('knows the web chat, too', async () => {
    const { adapter } = (await service.request({ url: `${list}/websocket`, bearer })).body.data;
    expect(adapter).toMatchObject({ name: 'websocket', spec: { categories: ['protocol'], help_links: {} } });
  });

  it.each(['unknown', '__proto__', 'constructor', '%00', 'x'.repeat(80)])('answers 404 to %s', async (name) => {
    for (const path of [name, `${name}/icon`]) {
      const answer = await service.request({ url: `${list}/${path}`, bearer });
      expect([answer.status, answer.body.msg]).toEqual([404, 'adapter not found']);
    }
  });
});

it('the icon of a platform is public, for pages of any origin', async () => {
  const answer = await service.request({ url: `${list}/fake/icon` });
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  expect(answer.text).toMatch(/^<svg .*>FP<\/text><\/svg>$/);
});

it('the icon of a platform that has one is that, and its set-up steps are in order', async () => {
  expect((await service.request({ url: `${list}/drawn/icon` })).text).toBe(icon);
  const { adapter } = (await service.request({ url: `${list}/drawn`, bearer })).body.data;
  expect(adapter.spec).toMatchObject({ setup_steps, testable: true });
});

it('a connection test answers with what it found, without the secrets of the configuration', async () => {
  const adapter_config = { token: 'a token of some length' };
  const answer = await service.request({ method: 'POST', url: `${list}/drawn/test`, bearer, json: { adapter_config } });
  expect([answer.status, answer.text.includes(adapter_config.token)]).toEqual([200, false]);
  expect(answer.body.data).toEqual({
    account_id: '5',
    account_name: null,
    findings: [
      {
        level: 'error',
        field: 'token',
        text: { en_US: expect.stringMatching(/^The token .+ cannot read$/), ja_JP: expect.any(String) },
      },
      { level: 'warning', text: { en_US: 'No picture' } },
    ],
  });
});
