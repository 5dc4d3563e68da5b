import { errorReasons, ParleyError } from '@parley/sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FakePluginProcesses } from '../../../../test/factories/fake-plugin-processes.ts';
import { pluginClient } from '../../../../test/factories/plugin-client.ts';
import { pluginManifest, pluginPackage } from '../../../../test/factories/plugin-package.ts';
import { startTestService, type TestService } from '../../../../test/factories/start-test-service.ts';
import type { PluginRequest } from '../../../core/plugins/plugin-caller.ts';

const files = {
  'main.js': 'export default {};\n',
  'pages/units/index.html': '<!doctype html>\n<title>Units</title>\n',
  'pages/units/parts/table.js': 'export {};\n',
  'pages/units/data.bin': 'data',
  'pages/other/index.html': '<!doctype html>\n<title>Other</title>\n',
};

/** Processes whose calls are answered by a function. */
class AnsweringProcesses extends FakePluginProcesses {
  answer: (request: PluginRequest) => unknown = () => null;

  override async call(request?: PluginRequest): Promise<unknown> {
    return request === undefined ? super.call() : this.answer(request);
  }
}

const processes = new AnsweringProcesses();
let service: TestService;
let call: ReturnType<typeof pluginClient>['call'];
let install: ReturnType<typeof pluginClient>['install'];

/** Installs a version with two pages. */
async function installVersion(version: string): Promise<void> {
  const { contributes, ...manifest } = pluginManifest(files);
  const pages = ['units', 'other'].map((name) => ({
    name,
    label: { en_US: name },
    path: `pages/${name}/index.html`,
  }));
  const content = pluginPackage({ files, manifest: { ...manifest, version, contributes: { pages }, permissions: {} } });
  const { upload } = pluginClient(service);
  const { digest } = (await upload('/inspect', content)).body.data.package;
  await install(content, `?consent=true&digest=${digest}`);
}

beforeAll(async () => {
  service = await startTestService({ extensions: { pluginProcesses: processes } });
  ({ call, install } = pluginClient(service));
  await installVersion('1.0.0');
}, 60_000);
afterAll(() => service.stop());

const page = '/example/units/pages/units';

/** The address of a frame, without its file. */
async function openFrame(bearer = service.account.token): Promise<string> {
  const { status, body } = await service.request({ method: 'POST', url: `/api/v1/plugins${page}/frames`, bearer });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.path.replace(/index\.html$/, '');
}

/** Without any credential, as frames load. */
const load = (url: string, headers: Record<string, string> = {}) => service.request({ url, headers });
const statusOf = async (url: string) => (await load(url)).status;

async function signIn(): Promise<string> {
  const { user, password } = service.account;
  const answer = await service.request({ method: 'POST', url: '/api/v1/user/auth', json: { user, password } });
  return answer.body.data.token;
}

describe('frames', () => {
  it('load the files of their page, and no others', async () => {
    const frame = await openFrame();
    expect(frame).toMatch(/^\/plugin-pages\/[\w-]{116}\/$/);
    const html = await load(`${frame}index.html`);
    expect([html.status, html.text, html.headers['content-type']]).toEqual([
      200,
      files['pages/units/index.html'],
      'text/html; charset=utf-8',
    ]);
    const script = await load(`${frame}parts/table.js`);
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect((await load(`${frame}data.bin`)).headers['content-type']).toBe('application/octet-stream');
    for (const other of [
      ...['', 'none.js', '../other/index.html', '%2e%2e/other/index.html', '..%2fother%2findex.html'],
      ...['..%5cother%5cindex.html', '../../main.js', '/etc/passwd', 'index.html%00.js', '__proto__', 'constructor'],
    ]) {
      const refused = await load(frame + other);
      expect([refused.status >= 400 && refused.status < 500, refused.text.includes('export')], other).toEqual([
        true,
        false,
      ]);
    }
    expect(await statusOf(`/plugin-pages/${'A'.repeat(116)}/index.html`)).toBe(404);
    expect(await statusOf('/plugin-pages/')).toBe(404);
  });

  it('have a policy that allows the files of the page alone', async () => {
    const frame = await openFrame();
    const { headers } = await load(`${frame}index.html`, { host: 'localhost:5300' });
    const own = `localhost:5300${frame}`;
    expect(headers['content-security-policy']?.split('; ')).toEqual([
      'sandbox allow-scripts',
      "default-src 'none'",
      `script-src ${own}`,
      `style-src ${own} 'unsafe-inline'`,
      `img-src ${own} data:`,
      `font-src ${own}`,
      "connect-src 'none'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
      "webrtc 'block'",
    ]);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(headers['permissions-policy']).toContain('geolocation=()');
    expect((await load(`${frame}none.html`)).headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it('end with the sign-in that opened them', async () => {
    const bearer = await signIn();
    const [ended, other] = [await openFrame(bearer), await openFrame()];
    expect(await statusOf(`${ended}index.html`)).toBe(200);
    await service.request({ method: 'POST', url: '/api/v1/user/sign-out', bearer });
    expect(await statusOf(`${ended}index.html`)).toBe(404);
    expect(await statusOf(`${other}index.html`)).toBe(200);
  });

  it('end when the plugin is disabled, and with its version', async () => {
    const disabled = await openFrame();
    await call('PUT', '/example/units/enabled', { enabled: false });
    expect(await statusOf(`${disabled}index.html`)).toBe(404);
    expect((await call('POST', `${page}/frames`)).body.reason).toBe('plugin_not_running');
    expect((await call('POST', `${page}/requests`, { endpoint: 'e' })).body.reason).toBe('plugin_not_running');
    await call('PUT', '/example/units/enabled', { enabled: true });
    expect(await statusOf(`${disabled}index.html`)).toBe(200);
    const outdated = await openFrame();
    await installVersion('1.0.1');
    expect(await statusOf(`${outdated}index.html`)).toBe(404);
    expect(await statusOf(`${await openFrame()}index.html`)).toBe(200);
  });

  it('end after an hour', async () => {
    const frame = await openFrame();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_590_000 });
    try {
      expect(await statusOf(`${frame}index.html`)).toBe(200);
      vi.setSystemTime(Date.now() + 12_000);
      expect(await statusOf(`${frame}index.html`)).toBe(404);
    } finally {
      vi.useRealTimers();
    }
  });

  it('have addresses that cannot be made or changed without the key', async () => {
    const frame = await openFrame();
    const [, token = ''] = frame.split('/').slice(1);
    for (const at of [0, 10, 30, 60, 100]) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect(await statusOf(`/plugin-pages/${changed}/index.html`), `character ${at}`).toBe(404);
    }
    expect(await statusOf(`/plugin-pages/${token}/index.html`)).toBe(200);
  });
});

it('takes signed-in admins, and nobody else', async () => {
  const { key: apiKey } = await service.createApiKey(['admin', 'read', 'write', 'send']);
  const { token: bearer } = await service.createAccount('member');
  for (const path of ['frames', 'requests']) {
    const request = { method: 'POST', url: `/api/v1/plugins${page}/${path}`, json: { endpoint: 'e' } };
    expect((await service.request({ ...request, apiKey })).body.reason).toBe('user_token_required');
    expect((await service.request({ ...request, bearer })).body.reason).toBe('role_required');
    expect((await service.request(request)).body.reason).toBe('unauthorized');
  }
});

it.each(['frames', 'requests'])('has no %s of pages that the plugin does not have', async (path) => {
  const answer = await call('POST', `/example/units/pages/none/${path}`, { endpoint: 'e' });
  expect([answer.status, answer.body.problem?.code]).toEqual([404, 'plugin_page_not_found']);
  expect((await call('POST', `/example/none/pages/units/${path}`, { endpoint: 'e' })).status).toBe(404);
});

describe('requests', () => {
  const request = (json: object, path = page) => call('POST', `${path}/requests`, json);

  it('reach the handler with what is requested and nothing else, and bring its result back', async () => {
    const requests: PluginRequest[] = [];
    processes.answer = async (given) => {
      requests.push(given);
      return { rules: [1] };
    };
    const { status, body } = await request({ endpoint: 'rules', method: 'PUT', body: { word: 'x' } });
    expect([status, body.data]).toEqual([200, { result: { rules: [1] } }]);
    await request({ endpoint: 'rules' });
    expect(requests.map(({ plugin, method, parameters }) => ({ plugin, method, parameters }))).toEqual([
      {
        plugin: 'example/units',
        method: 'page',
        parameters: { name: 'units', endpoint: 'rules', method: 'PUT', body: { word: 'x' } },
      },
      {
        plugin: 'example/units',
        method: 'page',
        parameters: { name: 'units', endpoint: 'rules', method: 'GET', body: null },
      },
    ]);
    const [given] = requests;
    expect(given?.timeoutMs).toBeGreaterThan(50_000);
    const refused = given?.host.answer('storage_get', { key: 'k' }, new AbortController().signal);
    await expect(refused).rejects.toMatchObject({ reason: 'plugin_permission_denied' });
    expect(await given?.host.answer('settings', {}, new AbortController().signal)).toMatchObject({
      result: { system: 'metric' },
    });
  });

  it('that may change something are in the audit log, without their body', async () => {
    processes.answer = () => null;
    await request({ endpoint: 'read-only' });
    await request({ endpoint: 'secrets', method: 'POST', body: { key: 'hidden-from-the-log' } });
    const { body, text } = await service.request({
      url: '/api/v1/audit?limit=5',
      bearer: service.account.token,
    });
    const [entry] = body.data.entries;
    expect(entry).toMatchObject({ action: 'plugin.request-page', record_id: 'example/units' });
    expect(JSON.stringify(entry)).toContain('secrets');
    expect(text).not.toContain('hidden-from-the-log');
    expect(text).not.toContain('read-only');
  });

  it('that fail never answer in our name, whatever the handler claims', async () => {
    for (const reason of Object.keys(errorReasons) as (keyof typeof errorReasons)[]) {
      processes.answer = () => Promise.reject(new ParleyError(reason, 'The plugin says so', { retryAfterSeconds: 9 }));
      const { status, body } = await request({ endpoint: 'e' });
      expect([409, 502, 503, 504].includes(status), `${reason}: ${status}`).toBe(true);
      expect(body.reason).toMatch(/^plugin_/);
      if (body.reason !== reason) {
        expect([body.reason, body.msg]).toEqual(['plugin_failed', 'The plugin says so']);
        expect(body.details).toEqual([{ path: 'reason', message: reason }]);
      }
    }
  });

  it('have bodies and results of at most 1 MB', async () => {
    processes.answer = () => 'x'.repeat(1 << 20);
    expect((await request({ endpoint: 'e' })).body.reason).toBe('plugin_response_invalid');
    processes.answer = () => 'x'.repeat((1 << 20) - 2);
    expect((await request({ endpoint: 'e' })).status).toBe(200);
    expect((await request({ endpoint: 'e', body: 'x'.repeat(1 << 20) })).status).toBe(413);
    expect((await request({ endpoint: 'e', method: 'get' })).status).toBe(400);
    expect((await request({ endpoint: 'e', other: 1 })).status).toBe(400);
  });

  it('run four at once, wait, and are refused when too many wait', async () => {
    const release = Promise.withResolvers<void>();
    let [running, most] = [0, 0];
    processes.answer = async () => {
      running += 1;
      most = Math.max(most, running);
      await release.promise;
      running -= 1;
      return null;
    };
    const requests = Array.from({ length: 70 }, () => request({ endpoint: 'e' }));
    const refused: string[] = [];
    for (const one of requests) void one.then(({ body }) => refused.push(body.reason));
    await vi.waitFor(() => expect(refused).toHaveLength(6));
    expect([...new Set(refused)]).toEqual(['plugin_busy']);
    release.resolve();
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(64);
    expect(most).toBe(4);
  });

  it('are cancelled when the client disconnects, and when its sign-in ends', async () => {
    const begun: AbortSignal[] = [];
    processes.answer = ({ signal }) => {
      begun.push(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const url = `/api/v1/plugins${page}/requests`;
    const send = (bearer: string, signal: AbortSignal | null) =>
      fetch(service.address + url, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ endpoint: 'e' }),
        signal,
      });
    const client = new AbortController();
    const cancelled = send(service.account.token, client.signal);
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    client.abort();
    await expect(cancelled).rejects.toThrow();
    await vi.waitFor(() => expect(begun[0]?.reason).toMatchObject({ reason: 'client_closed_request' }));

    const bearer = await signIn();
    const ended = send(bearer, null);
    await vi.waitFor(() => expect(begun).toHaveLength(2));
    await service.request({ method: 'POST', url: '/api/v1/user/sign-out', bearer });
    expect((await ended).status).toBe(401);
    expect(begun[1]?.aborted).toBe(true);
  });
});
