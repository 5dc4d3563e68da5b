import { DeliveryError, ParleyError } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { baseUrlOf, checkedToken, DiscordApi, type DiscordApiOptions, type DiscordCall } from './discord-api.ts';
import { asDeliveryError, DiscordRefusal } from './failure.ts';
import { defaultTiming } from './timing.ts';

const token = 'MTIz.GabcdE.secret-token';
const call: DiscordCall = { method: 'POST', path: '/channels/1/messages', json: {} };

/** An API whose calls get these responses, the last one again and again. */
function apiWith(responses: (() => Response)[], over: Partial<DiscordApiOptions> = {}) {
  const requests: { url: string; headers: Headers }[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    requests.push({ url: String(url), headers: new Headers(init?.headers) });
    const response = responses.length > 1 ? responses.shift() : responses[0];
    return response?.() ?? Response.error();
  };
  const options = { token, baseUrl: 'https://api.example/v10', fetch, closed: new AbortController().signal };
  return { api: new DiscordApi({ ...options, timing: defaultTiming, ...over }), requests };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, { status, headers });
const failureOf = (sending: Promise<unknown>) => sending.then(() => null, asDeliveryError);

describe('a call', () => {
  it('names the bot and the program', async () => {
    const { api, requests } = apiWith([json(200, { id: '5' })]);
    expect(await api.call(call)).toEqual({ id: '5' });
    expect(requests[0]?.headers.get('authorization')).toBe(`Bot ${token}`);
    expect(requests[0]?.headers.get('user-agent')).toMatch(/^DiscordBot \(.+, .+\)$/);
  });

  it.each([
    ['of a page', () => new Response('<html>A proxy</html>')],
    ['of a failure', json(502, { code: 0, message: 'Bad Gateway' })],
  ])('with the response %s may have been carried out', async (_, response) => {
    const { api } = apiWith([response]);
    expect(await failureOf(api.call(call))).toMatchObject({ kind: 'unknown', isRepeatable: false });
    expect(await failureOf(api.call({ ...call, isRepeatable: true }))).toMatchObject({ isRepeatable: true });
  });

  it('that is refused has Discord’s words, and no token', async () => {
    const errors = { embeds: { 0: { title: { _errors: [{ code: 'X', message: 'Too long' }] } } } };
    const { api } = apiWith([json(400, { code: 50035, message: 'Invalid Form Body', errors })]);
    const refusal = await api.call(call).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 50035, fields: ['embeds.0.title'] });
    expect(String(refusal)).toBe('DiscordRefusal: Invalid Form Body; embeds.0.title: Too long');
    expect(JSON.stringify([refusal, String(refusal)])).not.toContain('secret');
  });

  it.each([
    null,
    'text',
    [],
    { errors: 5 },
    { errors: { _errors: 5 } },
    { errors: { a: { _errors: [null] } } },
    { code: 'x' },
  ])('that is refused with %j is still a refusal', (body) => {
    expect(asDeliveryError(new DiscordRefusal(400, body))).toMatchObject({
      kind: 'refused',
      reason: 'platform_failed',
    });
  });

  it('opens no direct messages for a while after too many', () => {
    const refusal = new DiscordRefusal(400, { code: 40003, message: 'You are opening direct messages too fast' });
    expect(asDeliveryError(refusal)).toMatchObject({ kind: 'not_sent', rateLimit: { pauseMs: null, scope: 'chat' } });
  });
});

describe('a rate limit', () => {
  const limited = (over: object, headers: Record<string, string> = {}) =>
    json(429, { message: 'You are being rate limited.', retry_after: 60.5, global: false, ...over }, headers);

  it('holds for the calls of its bucket in one channel', async () => {
    const bucket = { 'x-ratelimit-bucket': 'b', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '60' };
    const { api, requests } = apiWith([json(200, {}, bucket), json(200, {})]);
    await api.call(call);
    expect(await failureOf(api.call(call))).toMatchObject({ kind: 'not_sent', rateLimit: { scope: 'chat' } });
    await api.call({ ...call, path: '/channels/2/messages' });
    expect(requests).toHaveLength(2);
  });

  it('is shared by routes of one bucket, whatever ids they end with', async () => {
    const bucket = { 'x-ratelimit-bucket': 'b' };
    const edit = (id: number): DiscordCall => ({ method: 'PATCH', path: `/channels/1/messages/${id}`, json: {} });
    const { api, requests } = apiWith([json(200, {}, bucket), json(200, {}, bucket), limited({})]);
    await api.call(edit(1));
    await api.call(call);
    expect(await failureOf(api.call(edit(2)))).toMatchObject({ rateLimit: { pauseMs: 60_500, scope: 'chat' } });
    expect(await failureOf(api.call(edit(3)))).toMatchObject({ kind: 'not_sent' });
    expect(await failureOf(api.call(call))).toMatchObject({ kind: 'not_sent' });
    expect(requests).toHaveLength(3);
  });

  it.each([
    ['a global one', limited({ global: true })],
    ['one of the network before Discord', () => new Response('<html>1015</html>', { status: 429 })],
  ])('stops all calls for %s', async (_, response) => {
    const { api, requests } = apiWith([response]);
    expect(await failureOf(api.call(call))).toMatchObject({ kind: 'not_sent', rateLimit: { scope: 'bot' } });
    expect(await failureOf(api.call({ method: 'GET', path: '/users/@me' }))).toMatchObject({ kind: 'not_sent' });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['of others', 'shared', 'refused'],
    ['of the bot', 'user', 'not_sent'],
  ])('%s counts for the block of the address accordingly', async (_, scope, expected) => {
    const headers = { 'x-ratelimit-scope': scope };
    const { api } = apiWith([json(403, { code: 50001, message: 'Missing Access' }, headers)]);
    for (let count = 0; count < 300; count += 1) await failureOf(api.call(call));
    expect(await failureOf(api.call(call))).toMatchObject({ kind: expected });
  });
});

it('reports a token that Discord does not know', async () => {
  const reported: ParleyError[] = [];
  const onUnauthorized = (error: ParleyError) => void reported.push(error);
  const { api } = apiWith([json(401, { code: 0, message: '401: Unauthorized' })], { onUnauthorized });
  const failure = await failureOf(api.call(call));
  expect(failure).toBeInstanceOf(DeliveryError);
  expect(failure).toMatchObject({ kind: 'refused', reason: 'platform_unauthorized' });
  expect(reported).toMatchObject([{ reason: 'platform_unauthorized' }]);
});

describe('settings', () => {
  it.each([
    ['https://discord.com/api', 'https://discord.com/api/v10'],
    [' https://discord.com/api/v10/ ', 'https://discord.com/api/v10'],
    ['', 'https://discord.com/api/v10'],
  ])('take the address %j', (api_base_url, expected) => {
    expect(baseUrlOf({ api_base_url })).toBe(expected);
  });

  it('refuse an address that is none', () => {
    expect(() => baseUrlOf({ api_base_url: 'discord' })).toThrow(
      expect.objectContaining({ reason: 'invalid_request' }),
    );
  });

  it('take a token with what is often copied around it', () => {
    expect(checkedToken({ token: `  Bot ${token}\n` })).toBe(token);
    for (const wrong of ['', 'a\r\nx-header: 1', 'ä', 'a b'])
      expect(() => checkedToken({ token: wrong })).toThrow(ParleyError);
  });
});
