import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestersWith } from '../factories/model-capabilities.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

/*
 * A provider of models that sends calls on to an address of the private network, to have it called and to see what it
 * answers.
 */

const secret = 'INTERNAL-SECRET-4711';
let service: TestService;
let internal: Server;
let provider: Server;
let status = 307;
/** What reached the address that the provider points to. */
const reached: string[] = [];

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  internal = await listen((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    response.writeHead(500, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `${secret} db password hunter2` } }));
  });
  provider = await listen((request, response) => {
    response.writeHead(status, { location: `${addressOf(internal)}/private${request.url}?token=abc` }).end();
  });
  service = await startTestService({ listen: false });
});
afterAll(async () => {
  await service.stop();
  for (const server of [provider, internal]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  reached.length = 0;
  status = 307;
});

const post = (url: string, json: object) =>
  service.request({ method: 'POST', url: `/api/v1${url}`, bearer: service.account.token, json });
const providerOf = (requester: string) => ({ requester, base_url: addressOf(provider), api_keys: ['sk-0123456789'] });
const test = (kind: 'llm' | 'embedding' | 'rerank', requester: string) =>
  post(`/provider/models/${kind}/_/test`, { name: 'm1', provider: providerOf(requester) });

function expectRefusal(answer: { status: number; text: string; body: { reason: string; msg: string } }): void {
  expect(answer.status, answer.text).toBe(502);
  expect(answer.body).toMatchObject({
    reason: 'provider_failed',
    msg: expect.stringContaining(`redirects the call to ${addressOf(internal)}. Redirects are not followed`),
  });
  expect(answer.text).not.toMatch(/INTERNAL|token=abc|private/);
  expect(reached).toEqual([]);
}

const remote = (names: { name: string; category: string }[]) =>
  names.filter(({ category }) => category !== 'builtin').map(({ name }) => name);

describe('a provider that redirects', () => {
  it.each([301, 302, 303, 307, 308])('with %i has nothing else called', async (given) => {
    status = given;
    expectRefusal(await test('llm', 'openai-chat-completions'));
  });

  it.each(remote(requestersWith('chat')))('has nothing else called by chat models of %s', async (name) => {
    expectRefusal(await test('llm', name));
  });

  it.each(remote(requestersWith('embedding')))('has nothing else called by embedding models of %s', async (name) => {
    expectRefusal(await test('embedding', name));
  });

  it.each(remote(requestersWith('rerank')))('has nothing else called by rerank models of %s', async (name) => {
    expectRefusal(await test('rerank', name));
  });

  it.each(remote(requestersWith('model list')))('has nothing else called by model lists of %s', async (name) => {
    const made = await post('/provider/providers', { name: `List of ${name}`, ...providerOf(name) });
    const url = `/api/v1/provider/providers/${made.body.data.uuid}/available-models`;
    expectRefusal(await service.request({ url, bearer: service.account.token }));
  });
});

it.each(['not an address at all: ht!tp://[', 'file:///etc/passwd', 'javascript:alert(1)'])(
  'a redirect to %j is refused as well',
  async (location) => {
    const odd = await listen((_, response) => response.writeHead(302, { location }).end());
    const answer = await post('/provider/models/llm/_/test', {
      name: 'm1',
      provider: { ...providerOf('openai-chat-completions'), base_url: addressOf(odd) },
    });
    odd.closeAllConnections();
    odd.close();
    expect(answer.body).toMatchObject({ reason: 'provider_failed', msg: expect.stringContaining('not followed') });
    expect(reached).toEqual([]);
  },
);
