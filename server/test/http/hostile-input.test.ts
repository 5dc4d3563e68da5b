import { once } from 'node:events';
import { createConnection } from 'node:net';
import { reasons } from '@parley/sdk';
import fc from 'fast-check';
import type { InjectOptions, LightMyRequestResponse as InjectResponse } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bodyExamples } from '../factories/body-examples.ts';
import { documentedFaults } from '../factories/documented-answers.ts';
import { createExampleRecords, type ExampleRecords, pathOf, withRecords } from '../factories/example-records.ts';
import { anyChange, anyJson, changedJson } from '../factories/hostile-json.ts';
import { boundary, multipart, multipartType } from '../factories/multipart.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { looksClosely, runsTried } from '../shared/looks-closely.ts';

const unknownUuid = '00000000-0000-7000-8000-000000000000';

const contentType = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'application/json; charset=utf-16',
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data',
      multipartType,
      'application/octet-stream',
      'a',
      ';',
      'application/json;;;=',
    ),
  },
);

/** Right bodies that are refused all the same, each by what it is about. All others are accepted. */
const refusedExamples: Record<string, string> = {
  'POST /api/v1/user/init': 'already_initialized',
  'PUT /api/v1/chat/conversations/:uuid': 'not_found',
  // Guesses.
  'POST /api/v1/user/auth': 'invalid_credentials',
  'POST /api/v1/user/change-password': 'invalid_credentials',
  'POST /api/v1/user/set-password': 'invalid_credentials',
  'POST /api/v1/user/recovery-key': 'invalid_credentials',
  'POST /api/v1/user/reset-password': 'invalid_credentials',
  'POST /api/v1/user/second-factor': 'invalid_credentials',
  'POST /api/v1/user/second-factor/disable': 'invalid_credentials',
  'POST /api/v1/user/second-factor/enable': 'conflict',
  // What this service does not have.
  'POST /api/v1/user/oidc/sign-in': 'not_found',
  'POST /api/v1/user/oidc/link': 'not_found',
  'POST /api/v1/survey/respond': 'not_found',
  'POST /api/v1/survey/dismiss': 'not_found',
  'PUT /api/v1/mcp/servers/:name/read-only-tools': 'invalid_request',
  'PUT /api/v1/plugins/:author/:name/grants': 'invalid_request',
  // The server of the example is disabled.
  'POST /api/v1/mcp/servers/:name/tools/run': 'conflict',
  // The document is a text, which has no pages.
  'POST /api/v1/knowledge/bases/:knowledge_base_uuid/files/:file_uuid/pages/locate': 'not_found',
  // Of another version, and from hosts that are not allowed.
  'POST /api/v1/plugins/:author/:name/consent': 'conflict',
  // Its plugin has no pages.
  'POST /api/v1/plugins/:author/:name/pages/:page/requests': 'not_found',
  'POST /api/v1/plugins/github/releases': 'invalid_request',
  'POST /api/v1/plugins/github/release-assets': 'address_not_allowed',
  'POST /api/v1/plugins/install/github': 'address_not_allowed',
  // They would call other servers.
  'POST /api/v1/provider/models/llm/:model_uuid/test': 'not_found',
  'POST /api/v1/provider/models/embedding/:model_uuid/test': 'not_found',
  'POST /api/v1/provider/models/rerank/:model_uuid/test': 'not_found',
  'POST /api/v1/platform/adapters/:adapter_name/login': 'conflict',
  'POST /api/v1/platform/adapters/:adapter_name/test': 'not_found',
  'POST /api/v1/mcp/servers/:name/test': 'not_found',
};

describe.each(looksClosely ? ['SQLite', 'PostgreSQL'] : ['SQLite'])('whatever comes, with %s', (engine) => {
  let fresh: FreshDatabase | undefined;
  let service: TestService;
  let credentials: Record<string, string>[];
  let models: FakeOpenAi;
  let records: ExampleRecords;

  beforeAll(async () => {
    models = await startFakeOpenAi();
    models.offer(['m']);
    if (engine === 'PostgreSQL') fresh = await migratedDatabase();
    service = await startTestService(fresh === undefined ? {} : { databaseUrl: fresh.url });
    const bearer = service.account.token;
    // The first key is one that random requests may rename and revoke.
    await service.createApiKey();
    const { key: apiKey } = await service.createApiKey(['read', 'write', 'send', 'admin']);
    credentials = [{ 'x-api-key': apiKey }, { authorization: `Bearer ${bearer}` }];
    records = await createExampleRecords(service, models.base_url);
  });

  afterEach(async () => {
    for (const headers of credentials) {
      expect((await service.request({ url: '/api/v1/pipelines', headers })).status).toBe(200);
    }
  });

  afterAll(async () => {
    await service.stop();
    await models.close();
    await fresh?.drop();
  });

  const filled = (url: string) => pathOf(url, records);

  /** Sends it, and expects an answer that blames the caller in the one form there is, or none of us. */
  async function send(options: InjectOptions & { method: string; url: string }): Promise<InjectResponse> {
    const response = await service.service.server.inject(options as InjectOptions);
    expectEnvelope(
      options.method,
      options.url,
      response.statusCode,
      response.body,
      String(response.headers['content-type']),
    );
    return response;
  }

  it('has an example of every operation that takes JSON', () => {
    const described = service.service.inventory
      .filter(
        ({ method, url }) =>
          ['POST', 'PUT', 'PATCH'].includes(method) &&
          !url.startsWith('/bots/') &&
          !/\/(documents|images|attachments|sign-out|copy|restore|default|reset\/:session_type|tasks\/:id\/cancel|webhooks\/:id\/(test|rotate-secret)|targets\/:target_uuid\/(test|rotate-secret)|redeliver|deliveries\/:part\/retry|:file_uuid\/(retry|reindex|cancel)|activate|rollback|upgrade|inspect|install\/local|pages\/:page\/frames|oidc\/(link\/)?begin|debug\/.*)$/.test(
            url,
          ),
      )
      .map(({ method, url }) => `${method} ${url}`);
    expect(Object.keys(bodyExamples).sort()).toEqual(described.sort());
  });

  it('a right body is accepted', async () => {
    const refused: Record<string, string> = {};
    for (const [name, payload] of Object.entries(bodyExamples)) {
      const [method, url] = name.split(' ') as [string, string];
      const headers = { ...credentials[1], 'content-type': 'application/json' };
      const response = await send({
        method,
        url: filled(url),
        headers,
        payload: withRecords(JSON.stringify(payload), records),
      });
      if (response.statusCode !== 200) refused[name] = response.json().reason;
    }
    expect(refused).toEqual(refusedExamples);
  });

  it('bodies with fields that are wrong, missing, unknown or monstrous are no fault of ours', async () => {
    const routes = fc.constantFrom(...Object.keys(bodyExamples));
    const changes = fc.array(anyChange, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(routes, changes, fc.nat(1), contentType, async (name, list, who, type) => {
        const [method, url] = name.split(' ') as [string, string];
        const headers = { ...credentials[who], 'content-type': type };
        await send({
          method,
          url: filled(url),
          headers,
          payload: withRecords(changedJson(bodyExamples[name] as object, list), records),
        });
      }),
      { numRuns: runsTried(1000) },
    );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('bodies that are anything at all are no fault of ours', async () => {
    const { bot_uuid = '', pipeline_uuid = '', session_type = '', id = '' } = records;
    // Of others, images would be answered, and calls to other servers.
    const few = { bot_uuid, pipeline_uuid, session_type, id };
    // An event stream would not end, and exports are files.
    const routes = service.service.inventory.filter(({ url }) => !/\/(sign-out|events|export)$/.test(url));
    const bytes = fc.oneof(
      anyJson.map((json) => Buffer.from(json)),
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        bytes,
        fc.nat(1),
        contentType,
        async ({ method, url }, body, who, type) => {
          const headers = { ...credentials[who], 'content-type': type };
          const payload = ['GET', 'HEAD'].includes(method) ? {} : { payload: body };
          await send({ method, url: pathOf(url, few).replace('*', ''), headers, ...payload });
        },
      ),
      { numRuns: runsTried(500) },
    );
  });

  it('multipart bodies of any kind are no fault of ours', async () => {
    const noise = fc.string({ unit: 'binary', maxLength: 40 });
    const text = fc.oneof(
      fc.constantFrom('file', 'a.txt', '', '"', '\r\n', '\u0000', '../../x', 'x'.repeat(5000), `--${boundary}`),
      noise,
    );
    const part = fc.record(
      {
        name: text,
        filename: text,
        type: text,
        content: fc.oneof(
          text,
          fc.uint8Array({ maxLength: 500 }).map((array) => Buffer.from(array)),
        ),
      },
      { requiredKeys: ['name'] },
    );
    const type = fc.oneof(
      { weight: 5, arbitrary: fc.constant(multipartType) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'multipart/form-data',
          'multipart/form-data; boundary=""',
          `multipart/form-data; boundary=${'b'.repeat(5000)}`,
          'multipart/form-data; boundary=a; boundary=b',
          'multipart/;boundary=x',
          `${multipartType}; charset=utf-16`,
        ),
      },
    );
    const cut = fc.option(fc.nat(400));
    const kind = fc.constantFrom('documents', 'images');
    await fc.assert(
      fc.asyncProperty(
        kind,
        fc.array(part, { maxLength: 5 }),
        type,
        cut,
        fc.nat(1),
        async (noun, parts, contentType, end, who) => {
          const body = multipart(...(parts as Parameters<typeof multipart>));
          const headers = { ...credentials[who], 'content-type': contentType };
          const payload = end === null ? body : body.subarray(0, end);
          await send({ method: 'POST', url: `/api/v1/files/${noun}`, headers, payload });
        },
      ),
      { numRuns: runsTried(500) },
    );
  });

  it('paths and queries of any kind are no fault of ours', async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'api',
        'v1',
        'pipelines',
        'provider',
        'apikeys',
        'webhooks',
        'system',
        'tasks',
        'files',
        'image',
        'docs',
        'assets',
        'ws',
        'messages',
        'user',
        '..',
        '.',
        '',
        '%',
        '%00',
        '%2e%2e',
        '%2f',
        '%5c',
        '%ff',
        '%c0%af',
        '%ud800',
        '*',
        ':id',
        '__proto__',
        unknownUuid,
        'a'.repeat(5000),
        'é',
        '\u0000',
        ' ',
        '#',
        ';',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.webPath(),
    );
    const query = fc.oneof(
      fc.constant(''),
      fc.constantFrom(
        '?',
        '?%',
        '?sort_by[]=a',
        '?sort_by=%00',
        '?__proto__=1&__proto__[a]=1',
        '?provider_uuid=a&provider_uuid=b',
        `?${'a=1&'.repeat(2000)}`,
      ),
      fc.webQueryParameters().map((text) => `?${text}`),
    );
    const method = fc.constantFrom(
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'PROPFIND',
      'TRACE',
      'NONSENSE',
      'get',
    );
    await fc.assert(
      fc.asyncProperty(
        method,
        fc.array(segment, { maxLength: 6 }),
        query,
        fc.nat(2),
        async (verb, segments, search, who) => {
          const path = `/${segments.join('/')}${search}`;
          const answer = await overSocket(verb, path, credentials[who] ?? {});
          expectEnvelope(verb, path, answer.status, answer.body, answer.type);
        },
      ),
      { numRuns: runsTried(500) },
    );
  });

  /** Writes a request as it is, which clients would refuse to send. */
  async function overSocket(method: string, path: string, headers: Record<string, string>) {
    const { hostname, port } = new URL(service.address);
    const client = createConnection({ host: hostname, port: Number(port) });
    const lines = Object.entries({ host: hostname, connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    client.write(Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'));
    const pieces: Buffer[] = [];
    client.on('data', (piece: Buffer) => pieces.push(piece));
    // A connection that is reset after its answer was given has given its answer.
    client.on('error', () => {});
    await once(client, 'close');
    const text = Buffer.concat(pieces).toString();
    const [head = '', ...body] = text.split('\r\n\r\n');
    return {
      status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
      type: /^content-type: (.*)$/im.exec(head)?.[1] ?? '',
      body: body.join('\r\n\r\n'),
    };
  }
});

const errorFields = {
  type: expect.any(String),
  param: expect.toSatisfy((param) => param === null || typeof param === 'string'),
  code: expect.stringMatching(/^[a-z_]+$/),
};

function expectEnvelope(method: string, url: string, status: number, text: string, type: string): void {
  expect(status).toBeGreaterThanOrEqual(200);
  // A bot whose platform sends nothing says so, and so does a model whose address a changed body has replaced.
  const isOfOthers =
    status === 501 ? url.startsWith('/bots/') : status === 502 && /"(code|reason)":"provider_/.test(text);
  if (!isOfOthers) expect(status, `${method} ${url}: ${text}`).toBeLessThan(500);
  if (method === 'HEAD') return;
  if (type.startsWith('text/event-stream')) {
    expect([status, url.split('/')[1]]).toEqual([200, 'v1']);
    return;
  }
  if (!type.startsWith('application/json')) {
    // Pages and their files, of which nothing is under /api.
    const statuses = url.startsWith('/cited/') ? [404, 410, 429] : [200];
    expect([method, statuses]).toEqual(['GET', expect.arrayContaining([status])]);
    expect(url).not.toMatch(/^\/api\//);
    return;
  }
  const body = JSON.parse(text);
  if (url.startsWith('/api/v1/openapi.json')) return;
  // Input that is not HTTP has no path.
  if (/^\/v1(?:[/?]|$)/.test(url) && body.msg !== 'The request is not HTTP') {
    // The form that programs of the model API know.
    if (status !== 200) expect(body).toEqual({ error: { message: expect.stringMatching(/./), ...errorFields } });
    return;
  }
  expect(body).toMatchObject({ code: status === 200 ? 0 : -1, msg: expect.stringMatching(/./) });
  if (status !== 200) {
    expect(Object.keys(reasons)).toContain(body.reason);
    expect(body.request_id).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect(documentedFaults(method, url, status, body)).toEqual([]);
}
