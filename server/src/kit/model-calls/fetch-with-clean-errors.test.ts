import { hintHeader } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { fetchWithCleanErrors } from './fetch-with-clean-errors.ts';

function answering(status: number, body = '{}', headers: Record<string, string> = {}): typeof fetch {
  return async () => new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });
}

async function hintOf(
  url: string,
  status: number,
  { key = 'k' as string | null, body = '{}', type = 'application/json' } = {},
) {
  const response = await fetchWithCleanErrors(answering(status, body, { 'content-type': type }), key)(url);
  return JSON.parse(response.headers.get(hintHeader) ?? 'null') as unknown;
}

const api = 'https://api.example.com';

describe('the cause of a refusal', () => {
  it.each<[string, number, object | null]>([
    [`${api}/chat/completions`, 404, { code: 'base_url_version', parameters: { url: `${api}/v1` } }],
    [`${api}/models`, 405, { code: 'base_url_version', parameters: { url: `${api}/v1` } }],
    [`${api}/proxy/embeddings`, 404, { code: 'base_url_version', parameters: { url: `${api}/proxy/v1` } }],
    [`${api}/v1/chat/completions`, 404, null],
    [`${api}/v1beta/openai/chat/completions`, 404, null],
    [`${api}/v1/chat/completions/chat/completions`, 404, { code: 'base_url_path', parameters: { url: `${api}/v1` } }],
    [`${api}/chat/completions`, 400, null],
    [`${api}/chat/completions`, 500, null],
    [`${api}/elsewhere`, 404, null],
  ])('%s, %i', async (url, status, hint) => {
    expect(await hintOf(url, status)).toEqual(hint);
  });

  it('is a web page', async () => {
    const page = { body: '<!DOCTYPE html><p>Not found', type: 'text/html; charset=utf-8' };
    expect(await hintOf(`${api}/v1/chat/completions`, 404, page)).toEqual({ code: 'not_an_api', parameters: {} });
    await expect(
      fetchWithCleanErrors(answering(200, '<html>', { 'content-type': 'text/html' }), null)(api),
    ).rejects.toMatchObject({ reason: 'provider_failed', response: { status: 200 }, hint: { code: 'not_an_api' } });
  });

  it.each<[string, string | null, number, object | null]>([
    [
      'https://api.openai.com/v1/models',
      'sk-ant-api03-abc',
      401,
      { code: 'key_of_other_provider', parameters: { provider: 'Anthropic' } },
    ],
    ['https://api.anthropic.com/v1/messages', 'sk-ant-api03-abc', 401, null],
    [
      'https://api.anthropic.com/v1/messages',
      'sk-proj-abc',
      403,
      { code: 'key_of_other_provider', parameters: { provider: 'OpenAI' } },
    ],
    ['https://api.deepseek.com/v1/models', 'sk-abc', 401, null],
    ['https://api.openai.com/v1/models', null, 401, { code: 'key_missing', parameters: {} }],
    ['https://api.openai.com/v1/models', null, 403, null],
  ])('%s with the key %s, %i', async (url, key, status, hint) => {
    expect(await hintOf(url, status, { key })).toEqual(hint);
  });
});

it('takes the key out of a refusal, and a hint of the provider', async () => {
  const hint = '{"code":"quota_used_up","parameters":{}}';
  const inner = answering(500, 'the key secret-key is wrong', { [hintHeader]: hint });
  const response = await fetchWithCleanErrors(inner, 'secret-key')(api);
  expect(await response.text()).toBe('the key [key] is wrong');
  expect(response.headers.has(hintHeader)).toBe(false);
});

it('reads no more than the start of a refusal that does not end', async () => {
  const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(10_000)) });
  const response = await fetchWithCleanErrors(async () => new Response(endless, { status: 500 }), null)(api);
  expect((await response.text()).length).toBeLessThan(100_000);
});
