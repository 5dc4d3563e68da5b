import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, type ClientRequest, type OutgoingHttpHeaders, request as startRequest } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { badCredentials, everyCredential } from '../../../../test/factories/every-credential.ts';
import { multipart, multipartType, type Part } from '../../../../test/factories/multipart.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService();
const url = '/api/v1/files/documents';
const limit = 10_485_760;
/** One connection for one upload after the other, so that one that was not read to its end would be noticed. */
const agent = new Agent({ keepAlive: true, maxSockets: 10 });
const authorization = `Bearer ${service.account.token}`;
const directory = join(service.config.dataDir, 'files');

afterAll(async () => {
  agent.destroy();
  await service.stop();
});

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body is compared as a whole
  body: any;
}

function open(headers: OutgoingHttpHeaders): ClientRequest {
  return startRequest(service.address + url, { method: 'POST', agent, headers: { authorization, ...headers } });
}

function answerTo(request: ClientRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      service.check('POST', url, response.statusCode ?? 0, text);
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
    });
  });
}

/** Sends a body over a socket, in pieces and without its length when `chunked`. */
function post(body: Buffer, headers: OutgoingHttpHeaders = {}, chunked = false): Promise<Answer> {
  const length = chunked ? {} : { 'content-length': body.length };
  const request = open({ 'content-type': multipartType, ...length, ...headers });
  const answer = answerTo(request);
  if (chunked) for (let at = 0; at < body.length; at += 65_536) request.write(body.subarray(at, at + 65_536));
  request.end(chunked ? undefined : body);
  return answer;
}

const upload = (...parts: Part[]) => post(multipart(...parts));
const file = (part: Partial<Part> = {}): Part => ({ name: 'file', filename: 'a.txt', content: 'Hello', ...part });
const rows = () => service.database.selectFrom('files').selectAll().orderBy('created_at').orderBy('uuid').execute();
const blobs = () =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'installation')
    .map((entry) => entry.name)
    .sort();

/** Stored files: as many rows as blobs, and no partial uploads. */
async function storedFiles(): Promise<string[]> {
  const uuids = (await rows()).map((row) => row.uuid).sort();
  expect(blobs()).toEqual(uuids);
  return uuids;
}

const row = async (answer: Answer) => (await rows()).find(({ uuid }) => uuid === answer.body.data.file_id);

describe('POST /api/v1/files/documents', () => {
  describe('with any credential', async () => {
    const credentials = await everyCredential(service, 'write');

    it.each(credentials)('answers as the contract says to %s', async (_name, part) => {
      const payload = multipart(file());
      const headers = { ...part.headers, 'content-type': multipartType };
      const answer = await service.request({ method: 'POST', url, ...part, headers, payload });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ code: 0, msg: 'ok', data: { file_id: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
    });

    it.each(badCredentials)('answers 401 to %s and keeps nothing', async (_name, part, msg) => {
      const before = await storedFiles();
      const request = { method: 'POST', url, ...part, payload: multipart(file()) };
      const answer = await service.request({ ...request, headers: { 'content-type': multipartType } });
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ code: -1, msg });
      expect(await storedFiles()).toEqual(before);
    });
  });

  it('keeps the bytes, their hash and what they are', async () => {
    const content = randomBytes(100_000);
    const stored = await row(await upload(file({ filename: 'random.bin', content })));
    expect(stored).toMatchObject({
      name: 'random.bin',
      size: 100_000,
      sha256: createHash('sha256').update(content).digest('hex'),
      media_type: 'application/octet-stream',
    });
    const { uuid } = stored as { uuid: string };
    expect(readFileSync(join(directory, uuid.slice(-2), uuid)).equals(content)).toBe(true);
  });

  it.each([
    ['text', 'a.txt', 'text/plain', 'Grüße', 'text/plain'],
    [
      'a picture that claims to be text',
      'a.txt',
      'text/plain',
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      'image/png',
    ],
    ['a document', 'a.pdf', 'application/pdf', '%PDF-1.7\n', 'application/pdf'],
    ['a page with a script', 'a.html', 'text/html', '<script>alert(1)</script>', 'text/plain'],
    ['bytes without a type', 'a', undefined, Buffer.from([0, 1, 2, 255]), 'application/octet-stream'],
    ['an unknown type', 'a.weird', 'application/x-unknown', 'Hello', 'text/plain'],
  ])('takes %s', async (_name, filename, type, content, media_type) => {
    const answer = await upload(file({ filename, content, ...(type === undefined ? {} : { type }) }));
    expect(await row(answer)).toMatchObject({ name: filename, media_type });
  });

  it.each([
    ['with its length', false],
    ['in chunks of unknown number', true],
  ])('takes 10 485 760 bytes and refuses one more, sent %s', async (_name, chunked) => {
    const content = Buffer.alloc(limit, 'x');
    const passes = await post(multipart(file({ content })), {}, chunked);
    expect(passes.status).toBe(200);
    expect(await row(passes)).toMatchObject({ size: limit });
    const before = await storedFiles();
    const refused = await post(multipart(file({ content: Buffer.alloc(limit + 1, 'x') })), {}, chunked);
    expect(refused.status).toBe(413);
    expect(refused.body).toMatchObject({ code: -1, reason: 'too_large' });
    expect(await storedFiles()).toEqual(before);
  });

  it('refuses a body that says that it is far too large, without reading it', async () => {
    const before = await storedFiles();
    const request = open({ 'content-type': multipartType, 'content-length': 2 * limit });
    const answer = answerTo(request);
    request.flushHeaders();
    expect((await answer).status).toBe(413);
    request.destroy();
    expect(await storedFiles()).toEqual(before);
  });

  it.each([
    ['with its length', false],
    ['in chunks of unknown number', true],
  ])('tells a client that keeps sending far too much, %s', async (_name, chunked) => {
    const before = await storedFiles();
    const answer = await post(multipart(file({ content: Buffer.alloc(3 * limit) })), {}, chunked);
    expect(answer.status).toBe(413);
    expect(answer.body.reason).toBe('too_large');
    expect(await storedFiles()).toEqual(before);
  });

  describe('keeps nothing of', () => {
    let before: string[];
    beforeAll(async () => {
      before = await storedFiles();
    });

    it.each<[string, Part[], string]>([
      ['nothing', [], 'is required, as the only part'],
      ['another part', [file({ name: 'document' })], 'is required, as the only part'],
      [
        'another part of full size',
        [file({ name: 'document', content: Buffer.alloc(limit) })],
        'is required, as the only part',
      ],
      ['a text field named file of full size', [{ name: 'file', content: Buffer.alloc(limit) }], 'must be a file'],
      ['a text field named file', [{ name: 'file', content: 'Hello' }], 'must be a file'],
      ['two files', [file(), file({ filename: 'b.txt' })], 'must be the only part'],
      ['a file and a text field', [file(), { name: 'title', content: 'Hello' }], 'must be the only part'],
      ['a text field and a file', [{ name: 'title', content: 'Hello' }, file()], 'is required, as the only part'],
      [
        'a file among many parts',
        [file(), ...Array.from({ length: 50 }, () => file({ name: 'x' }))],
        'must be the only part',
      ],
    ])('%s: 400', async (_name, parts, message) => {
      const answer = await upload(...parts);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: -1, reason: 'invalid_request', details: [{ path: 'file', message }] });
      expect(await storedFiles()).toEqual(before);
      // The connection is as good as new.
      expect((await upload()).status).toBe(400);
    });

    it('an empty file: 400', async () => {
      const answer = await upload(file({ content: '' }));
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: -1, reason: 'empty_file' });
      expect(await storedFiles()).toEqual(before);
    });

    const whole = multipart(file());
    it.each<[string, Buffer, OutgoingHttpHeaders, number]>([
      ['JSON', Buffer.from('{"file":"Hello"}'), { 'content-type': 'application/json' }, 415],
      ['a form without files', Buffer.from('file=Hello'), { 'content-type': 'application/x-www-form-urlencoded' }, 415],
      ['the bytes alone', Buffer.from('Hello'), { 'content-type': 'application/octet-stream' }, 415],
      ['another multipart type', whole, { 'content-type': multipartType.replace('form-data', 'mixed') }, 415],
      ['a body without a boundary', whole, { 'content-type': 'multipart/form-data' }, 400],
      ['a body with an empty boundary', whole, { 'content-type': 'multipart/form-data; boundary=' }, 400],
      ['a body with another boundary', whole, { 'content-type': 'multipart/form-data; boundary=other' }, 400],
      ['a body that ends in the file', whole.subarray(0, whole.length - 40), {}, 400],
      ['a body that ends in the headers', whole.subarray(0, 60), {}, 400],
      ['a body of nothing', Buffer.alloc(0), {}, 400],
      ['a body of noise', randomBytes(5000), {}, 400],
    ])('%s', async (_name, body, headers, status) => {
      const answer = await post(body, headers);
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ code: -1, msg: expect.any(String) });
      expect(await storedFiles()).toEqual(before);
    });

    it('an upload that is aborted half-way', async () => {
      const body = multipart(file({ content: Buffer.alloc(limit, 'x') }));
      const request = open({ 'content-type': multipartType, 'content-length': body.length });
      request.on('error', () => {});
      request.write(body.subarray(0, limit / 2));
      await vi.waitFor(() => expect(blobs().some((name) => name.endsWith('.part'))).toBe(true));
      request.destroy();
      await vi.waitFor(async () => expect(await storedFiles()).toEqual(before));
    });

    it('an upload whose end is missing and whose connection stays', async () => {
      const body = multipart(file());
      const request = open({ 'content-type': multipartType, 'content-length': body.length + 1000 });
      request.on('error', () => {});
      request.write(body.subarray(0, body.length - 35));
      await vi.waitFor(() => expect(blobs().some((name) => name.endsWith('.part'))).toBe(true));
      request.destroy();
      await vi.waitFor(async () => expect(await storedFiles()).toEqual(before));
    });
  });

  it('answers 401 before the body is read', async () => {
    const before = await storedFiles();
    const request = open({ authorization: 'Bearer wrong', 'content-type': multipartType, 'content-length': limit });
    const answer = answerTo(request);
    request.flushHeaders();
    expect((await answer).status).toBe(401);
    request.destroy();
    expect(await storedFiles()).toEqual(before);
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..', 'unnamed'],
    ['/etc/shadow', 'shadow'],
    ['C:\\Users\\ann\\letter.docx', 'letter.docx'],
    ['\\\\server\\share\\a.txt', 'a.txt'],
    ['a\u0000.txt', 'a.txt'],
    ['\u202egpj.exe', 'gpj.exe'],
    ['a\u2066b\u2069.txt', 'ab.txt'],
    ['  spaced.txt  ', 'spaced.txt'],
    ['résumé 履歴書 🔑.pdf', 'résumé 履歴書 🔑.pdf'],
    ['x'.repeat(300), 'x'.repeat(255)],
    [`${'🔑'.repeat(300)}`, '🔑'.repeat(255)],
    ['<img src=x onerror=alert(1)>.txt', '<img src=x onerror=alert(1)>.txt'],
    ["'; drop table files; --", "'; drop table files; --"],
    ['%2e%2e%2fa.txt', '%2e%2e%2fa.txt'],
    ['a/', 'unnamed'],
    ['CON', 'CON'],
  ])('takes the name %j as data', async (filename, name) => {
    const stored = await row(await upload(file({ filename })));
    expect(stored?.name).toBe(name);
    await storedFiles();
  });

  it('does not let a name with a line break write headers', async () => {
    const answer = await upload(file({ filename: 'a\r\nx-evil: 1\r\n\r\n.txt' }));
    if (answer.status === 200) expect((await row(answer))?.name).not.toMatch(/[\r\n]/);
    else expect(answer.body).toMatchObject({ code: -1, reason: 'invalid_request' });
    await storedFiles();
  });

  it('passes over the headers of a part that it has no use for', async () => {
    expect((await upload(file({ type: 'a/b\r\nx: y'.repeat(1000) }))).status).toBe(200);
    expect((await upload(file({ type: 'x'.repeat(1_000_000) }))).status).toBeLessThan(500);
    await storedFiles();
  });

  it('takes many at the same time', async () => {
    const before = (await storedFiles()).length;
    const contents = Array.from({ length: 10 }, () => randomBytes(200_000));
    const answers = await Promise.all(contents.map((content) => upload(file({ content }))));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(await storedFiles()).toHaveLength(before + 10);
    for (const [index, answer] of answers.entries()) {
      const sha256 = createHash('sha256')
        .update(contents[index] as Buffer)
        .digest('hex');
      expect(await row(answer)).toMatchObject({ sha256 });
    }
  });

  it('lets go of every connection whose client is gone', async () => {
    const { server } = service.service.server;
    agent.destroy();
    await vi.waitFor(async () => expect(await promisify(server.getConnections.bind(server))()).toBe(0), 5000);
  });
});
