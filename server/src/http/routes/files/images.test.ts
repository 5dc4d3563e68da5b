import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { badCredentials, everyCredential } from '../../../../test/factories/every-credential.ts';
import { multipart, multipartType, type Part } from '../../../../test/factories/multipart.ts';
import { startTestService, type TestRequest } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService();
afterAll(() => service.stop());

const url = '/api/v1/files/images';
const limit = 10_485_760;
const directory = join(service.config.dataDir, 'files');
const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const samples: [name: string, extension: string, type: string, content: Buffer][] = [
  ['PNG', 'png', 'image/png', png],
  ['JPEG', 'jpg', 'image/jpeg', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')],
  ['GIF', 'gif', 'image/gif', Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1')],
  ['WebP', 'webp', 'image/webp', Buffer.from('RIFF\x1a\x00\x00\x00WEBPVP8L', 'latin1')],
];

const file = (part: Partial<Part> = {}): Part => ({ name: 'file', filename: 'a.png', content: png, ...part });
const post = (parts: Part[], request: Partial<TestRequest> = { bearer: service.account.token }) =>
  service.request({
    method: 'POST',
    url,
    ...request,
    headers: { ...request.headers, 'content-type': multipartType },
    payload: multipart(...parts),
  });
const upload = async (content: Buffer = png): Promise<string> => (await post([file({ content })])).body.data.file_key;
/** What is asked for without a credential. */
const show = (key: string, headers: Record<string, string> = {}) =>
  fetch(`${service.address}/api/v1/files/image/${key}`, { headers });
const storedFiles = async () => {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const blobs = entries.filter((entry) => entry.isFile() && entry.name !== 'installation');
  const rows = await service.database.selectFrom('files').select('uuid').execute();
  expect(blobs.map(({ name }) => name).sort()).toEqual(rows.map(({ uuid }) => uuid).sort());
  return rows.length;
};

describe('POST /api/v1/files/images', () => {
  describe('with any credential', async () => {
    it.each(await everyCredential(service, 'write'))('takes an image from %s', async (_name, part) => {
      const answer = await post([file()], part);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        code: 0,
        msg: 'ok',
        data: { file_key: expect.stringMatching(/^[A-Za-z0-9_-]{32}\.png$/) },
      });
    });

    it.each(badCredentials)('answers 401 to %s and keeps nothing', async (_name, part, msg) => {
      const before = await storedFiles();
      const answer = await post([file()], part);
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ code: -1, msg });
      expect(await storedFiles()).toBe(before);
    });
  });

  it('answers 403 to a key that may only read', async () => {
    const { key } = await service.createApiKey(['read', 'send', 'admin']);
    const answer = await post([file()], { apiKey: key });
    expect(answer.status).toBe(403);
    expect(answer.body.reason).toBe('scope_required');
  });

  it.each(samples)('knows a %s whatever its name and its type say', async (_, extension, type, content) => {
    for (const part of [{}, { filename: 'a.svg', type: 'image/svg+xml' }, { filename: '', type: 'text/html' }]) {
      const { data } = (await post([file({ content, ...part })])).body;
      expect(data.file_key.split('.')[1]).toBe(extension);
      expect((await show(data.file_key)).headers.get('content-type')).toBe(type);
    }
  });

  it.each([
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['a page', '<html><script>alert(1)</script></html>'],
    ['a text', 'Hello'],
    ['a document', '%PDF-1.7\n'],
    ['an icon', Buffer.from('00000100010010100000010020006804', 'hex')],
    ['bytes', Buffer.alloc(100, 1)],
  ])('refuses %s that is called an image', async (_, content) => {
    const before = await storedFiles();
    const answer = await post([file({ content, filename: 'a.png', type: 'image/png' })]);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: -1, reason: 'invalid_request', details: [{ path: 'file' }] });
    expect(await storedFiles()).toBe(before);
  });

  it('takes 10 485 760 bytes and refuses one more', async () => {
    const whole = Buffer.concat([png, Buffer.alloc(limit - png.length)]);
    const image = await show(await upload(whole));
    expect(Number(image.headers.get('content-length'))).toBe(limit);
    expect(Buffer.from(await image.arrayBuffer()).equals(whole)).toBe(true);
    const before = await storedFiles();
    const refused = await post([file({ content: Buffer.concat([whole, Buffer.from('a')]) })]);
    expect(refused.status).toBe(413);
    expect(refused.body).toMatchObject({ code: -1, reason: 'too_large' });
    expect(await storedFiles()).toBe(before);
  });

  it.each<[string, Part[], string]>([
    ['an empty file', [file({ content: '' })], 'empty_file'],
    ['nothing', [], 'invalid_request'],
    ['another part', [file({ name: 'image' })], 'invalid_request'],
    ['a text field', [{ name: 'file', content: png }], 'invalid_request'],
    ['two files', [file(), file()], 'invalid_request'],
  ])('refuses %s', async (_, parts, reason) => {
    const before = await storedFiles();
    const answer = await post(parts);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: -1, reason });
    expect(await storedFiles()).toBe(before);
  });

  it('takes no other content type', async () => {
    const answer = await service.request({ method: 'POST', url, bearer: service.account.token, json: { file: 'a' } });
    expect(answer.status).toBe(415);
  });
});

describe('GET /api/v1/files/image/{key}', () => {
  it.each(samples)(
    'shows a %s to whoever knows its key, and lets nothing in it run',
    async (_, extension, type, content) => {
      const answer = await show(await upload(content));
      expect(answer.status).toBe(200);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(content);
      const headers = Object.fromEntries(answer.headers);
      expect(headers).toMatchObject({
        'content-type': type,
        'content-length': String(content.length),
        'content-disposition': `inline; filename="image.${extension}"`,
        'cache-control': 'private, max-age=31536000, immutable',
        etag: `"${createHash('sha256').update(content).digest('hex')}"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'cross-origin',
      });
    },
  );

  it('tells its length to a HEAD', async () => {
    const key = await upload();
    const whole = await show(key);
    await whole.arrayBuffer();
    const head = await fetch(`${service.address}/api/v1/files/image/${key}`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    const shown = (answer: Response) =>
      ['content-type', 'content-length', 'etag', 'cache-control'].map((name) => answer.headers.get(name));
    expect(shown(head)).toEqual(shown(whole));
  });

  it('is not sent again to those who have it', async () => {
    const key = await upload();
    const etag = (await show(key)).headers.get('etag') as string;
    for (const tag of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
      const answer = await show(key, { 'if-none-match': tag });
      expect(answer.status, tag).toBe(304);
      expect(await answer.text()).toBe('');
      expect(answer.headers.get('etag')).toBe(etag);
      expect(answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    }
    for (const tag of ['"another"', etag.slice(1, -1), '', ',']) {
      const answer = await show(key, { 'if-none-match': tag });
      expect(answer.status, tag).toBe(200);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(png);
    }
  });

  it('is 404 for an invalid key, as JSON that must not be cached', async () => {
    const key = await upload();
    const uuids = await service.database.selectFrom('files').select('uuid').execute();
    const { data } = (
      await service.request({
        method: 'POST',
        url: '/api/v1/files/documents',
        bearer: service.account.token,
        headers: { 'content-type': multipartType },
        payload: multipart(file()),
      })
    ).body;
    const keys = [
      '',
      'a',
      'a.png',
      `${'A'.repeat(32)}.png`,
      key.toLowerCase() === key ? key.toUpperCase() : key.toLowerCase(),
      key.replace('.png', ''),
      key.replace('.png', '.gif'),
      `${key}%00`,
      `${key}/`,
      `${key}/more`,
      `x/${key}`,
      `..%2f${key}`,
      `%2e%2e/${key}`,
      '..%2f..%2f..%2fetc%2fpasswd',
      '..%5c..%5cetc%5cpasswd',
      'A'.repeat(5000),
      data.file_id,
      ...uuids.map(({ uuid }) => uuid),
    ];
    for (const odd of keys) {
      const answer = await service.request({ url: `/api/v1/files/image/${odd}` });
      expect(answer.status, odd).toBe(404);
      expect(answer.body, odd).toMatchObject({ code: -1, reason: 'not_found' });
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('is 404 for what came with a message and is no image', async () => {
    const row = { size: 5, sha256: 'a'.repeat(64), media_type: 'text/html', purpose: 'media' as const };
    const access_key = 'k'.repeat(32);
    await service.database
      .insertInto('files')
      .values({ ...row, uuid: '00000000-0000-7000-8000-00000000000a', name: 'a.png', access_key, created_at: '2026' })
      .execute();
    expect((await show(access_key)).status).toBe(404);
    await service.database.deleteFrom('files').where('access_key', '=', access_key).execute();
  });

  it('is a fault of the server when the content is gone', async () => {
    const key = await upload();
    const row = await service.database
      .selectFrom('files')
      .select('uuid')
      .where('access_key', '=', key)
      .executeTakeFirstOrThrow();
    rmSync(join(directory, row.uuid.slice(-2), row.uuid));
    const answer = await show(key);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ code: -2, reason: 'internal' });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    await service.database.deleteFrom('files').where('uuid', '=', row.uuid).execute();
  });
});

describe('an image in the web chat', () => {
  it('is shown where its message says, below the path of the service', async () => {
    const below = await startTestService({ config: { basePath: '/parley' } });
    try {
      const { token } = below.account;
      const form = new FormData();
      form.set('file', new Blob([png]), 'a.png');
      const uploaded = await fetch(`${below.address}/parley${url}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      });
      const { file_key: path } = ((await uploaded.json()) as { data: { file_key: string } }).data;
      const [pipeline] = (await below.request({ url: '/api/v1/pipelines', bearer: token })).body.data.pipelines;
      const chat = `${below.address.replace('http', 'ws')}/parley/api/v1/pipelines/${pipeline.uuid}/ws/connect`;
      const socket = new WebSocket(chat, ['parley.token', token]);
      const frames: { type: string; data?: { message_chain: object[] }; message?: string }[] = [];
      socket.addEventListener('message', ({ data }) => void frames.push(JSON.parse(String(data))));
      await vi.waitFor(() => expect(frames[0]?.type).toBe('connected'));
      socket.send(JSON.stringify({ type: 'message', message: [{ type: 'Image', path: 'unknown.png' }] }));
      await vi.waitFor(() => expect(frames[1]).toMatchObject({ type: 'error', reason: 'invalid_request' }));
      socket.send(JSON.stringify({ type: 'message', message: [{ type: 'Image', path }] }));
      await vi.waitFor(() => expect(frames.some(({ type }) => type === 'user_message')).toBe(true));
      const shown = { type: 'Image', path, url: `/parley/api/v1/files/image/${path}` };
      expect(frames.find(({ type }) => type === 'user_message')?.data?.message_chain).toEqual([shown]);
      const history = `/api/v1/pipelines/${pipeline.uuid}/ws/messages/person`;
      const [message] = (await below.request({ url: history, bearer: token })).body.data.messages;
      expect(message.message_chain).toEqual([shown]);
      expect(Buffer.from(await (await fetch(below.address + shown.url)).arrayBuffer())).toEqual(png);
      socket.close();
    } finally {
      await below.stop();
    }
  });
});
