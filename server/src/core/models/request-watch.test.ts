import { describe, expect, it } from 'vitest';
import { RequestWatch } from './request-watch.ts';

const key = 'sk-0123456789"abcdefghij';

async function sentTo(url: string, init: RequestInit = {}, secrets = [key]) {
  const arrived: unknown[] = [];
  const watch = new RequestWatch(async (...request) => {
    arrived.push(request);
    return new Response('{}');
  }, secrets);
  await watch.fetch(url, init);
  expect(arrived).toEqual([[url, init]]);
  return { shown: watch.take(), again: watch.take() };
}
const bodyOf = async (body: unknown) => {
  const { shown } = await sentTo('https://a.example/v1', { method: 'POST', body: JSON.stringify(body) });
  return JSON.parse(shown?.body ?? 'null') as unknown;
};

describe('a request that was sent', () => {
  it('is shown once, without credentials of any header, parameter or field', async () => {
    const { shown, again } = await sentTo(
      `https://user:pass@a.example/v1/chat?key=${encodeURIComponent(key)}&token=abc&api-version=2#x`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'x-goog-api-key': key,
          'x-amz-security-token': 'other',
          cookie: 'a=b',
          'content-type': 'application/json',
          'user-agent': `agent ${key}`,
        },
        body: JSON.stringify({ model: 'large', max_tokens: 10, api_key: 'in a field', messages: [`I said ${key}.`] }),
      },
    );
    expect(shown).toEqual({
      method: 'POST',
      url: 'https://a.example/v1/chat?key=hidden&token=hidden&api-version=2',
      headers: {
        authorization: 'Bearer …',
        cookie: '…',
        'content-type': 'application/json',
        'user-agent': 'agent …',
        'x-amz-security-token': '…',
        'x-goog-api-key': '…',
      },
      body: '{"model":"large","max_tokens":10,"api_key":"…","messages":["I said …."]}',
      body_size: expect.any(Number),
      truncated: false,
    });
    expect(again).toBeNull();
  });

  it('has notes instead of files, as each protocol sends them', async () => {
    const base64 = Buffer.alloc(3000, 'x').toString('base64');
    const note = '[image/png, 3000 bytes]';
    expect(
      await bodyOf({
        image_url: { url: `data:image/png;base64,${base64}` },
        source: { media_type: 'image/png', data: base64 },
        inlineData: { mimeType: 'image/png', data: base64 },
        image: { format: 'png', source: { bytes: base64 } },
        images: [base64],
        text: `see data:text/plain;charset=utf-8;base64,${base64} here`,
        content: base64,
      }),
    ).toEqual({
      image_url: { url: note },
      source: { media_type: 'image/png', data: note },
      inlineData: { mimeType: 'image/png', data: note },
      image: { format: 'png', source: { bytes: '[file, 3000 bytes]' } },
      images: ['[file, 3000 bytes]'],
      text: 'see [text/plain, 3000 bytes] here',
      // A text that a user wrote.
      content: base64,
    });
  });

  it('is cut between characters, after its secrets were hidden', async () => {
    const text = `${'语'.repeat(87_378)}${key}`;
    const { shown } = await sentTo('https://a.example/v1', { method: 'POST', body: JSON.stringify({ text }) });
    expect(shown).toMatchObject({ truncated: true, body_size: JSON.stringify({ text }).length });
    expect(Buffer.byteLength(shown?.body ?? '')).toBeLessThanOrEqual(256 * 1024);
    expect(shown?.body).not.toContain('sk-');
    expect(shown?.body).not.toContain('\ufffd');
  });

  it('is not read if it is huge, and may be anything', async () => {
    const huge = await sentTo('https://a.example/v1', { method: 'POST', body: ' '.repeat(33 * 1024 * 1024) });
    expect(huge.shown).toMatchObject({ body: null, truncated: true, body_size: 33 * 1024 * 1024 });
    const odd = await sentTo('https://a.example/v1', { method: 'POST', body: `no JSON ${key} \ud800` });
    expect(odd.shown).toMatchObject({ body: 'no JSON … \ud800', truncated: false });
    const empty = await sentTo('https://a.example/v1', { body: new Uint8Array(3) });
    expect(empty.shown).toMatchObject({ method: 'GET', body: null, truncated: false });
  });

  it('reads hostile text in linear time', async () => {
    const started = performance.now();
    const body = {
      text: 'data:a/b;base64,'.repeat(100_000),
      more: `data:a/b${';'.repeat(500_000)}`,
      data: 'A'.repeat(4e6),
    };
    const { shown } = await sentTo('https://a.example/v1', { body: JSON.stringify(body) });
    expect(shown?.truncated).toBe(true);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
