import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { multipart, multipartType } from '../factories/multipart.ts';
import { startTestService } from '../factories/start-test-service.ts';

const service = await startTestService();
afterAll(() => service.stop());

const bearer = service.account.token;
const { dataDir } = service.config;
/** A file next to the stored files, which must be neither read nor replaced nor deleted. */
const secretKey = join(dataDir, 'secret.key');
const secret = readFileSync(secretKey, 'utf8').trim();
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const ways = [
  '../secret.key',
  '../../secret.key',
  '..%2fsecret.key',
  '..%2f..%2fsecret.key',
  '%2e%2e%2f%2e%2e%2fsecret.key',
  '..%5c..%5csecret.key',
  '....//....//secret.key',
  `%2f${encodeURIComponent(secretKey)}`,
  `${encodeURIComponent(secretKey)}%00.png`,
];

it.each(ways)('the path %s leads to no file outside', async (path) => {
  for (const base of ['/api/v1/files/image/', '/assets/', '/', '/docs/', '/api/v1/platform/adapters/']) {
    const answer = await service.request({ url: `${base}${path}`, bearer });
    expect(answer.text, base).not.toContain(secret);
  }
  const names = await service.request({ url: `/api/v1/files/image/${path}` });
  expect([names.status, names.body.reason]).toEqual([404, 'not_found']);
});

it.each(['../../secret.key', '/etc/cron.d/planted', '..\\..\\secret.key', secretKey, 'a\0.png', '.', '..'])(
  'an upload that calls itself %j is stored under a name of ours',
  async (filename) => {
    const payload = multipart({ name: 'file', filename: filename.replace('\0', '%00'), content: 'planted' });
    const headers = { 'content-type': multipartType };
    const answer = await service.request({ method: 'POST', url: '/api/v1/files/documents', bearer, headers, payload });
    expect([200, 400]).toContain(answer.status);
    expect(readFileSync(secretKey, 'utf8').trim()).toBe(secret);
    const stored = readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true });
    for (const entry of stored.filter((one) => one.isFile() && one.name !== 'installation'))
      expect(entry.name).toMatch(uuid);
  },
);

describe('an element of a message', () => {
  it.each([secretKey, '../secret.key', `file://${secretKey}`])(
    'that names the path %s has nothing read',
    async (path) => {
      const [bot] = (await service.request({ url: '/api/v1/platform/bots', bearer })).body.data.bots;
      for (const source of [{ path }, { url: path }, { base64: path }]) {
        for (const type of ['Image', 'File']) {
          const element = { type, ...(type === 'File' ? { name: basename(path) } : {}), ...source };
          const json = { target_type: 'person', target_id: 'ada', message_chain: [element] };
          const url = `/api/v1/platform/bots/${bot.uuid}/send_message`;
          const sent = await service.request({ method: 'POST', url, bearer, json });
          expect(sent.text).not.toContain(secret);
        }
      }
      const { messages } = (await service.request({ url: '/api/v1/messages', bearer })).body.data;
      for (const message of messages) {
        const image = await service.request({ url: `/api/v1/messages/${message.uuid}/images/0`, bearer });
        expect(image.status).toBeGreaterThanOrEqual(400);
      }
      expect(existsSync(secretKey)).toBe(true);
    },
  );
});

it('a document cannot be attached by a path', async () => {
  const made = await service.request({
    method: 'POST',
    url: '/api/v1/knowledge/bases',
    bearer,
    json: { name: 'Base', knowledge_engine_plugin_id: 'parley/built-in' },
  });
  for (const file_id of ['../../secret.key', secretKey, '..%2fsecret.key']) {
    const url = `/api/v1/knowledge/bases/${made.body.data.uuid}/files`;
    const answer = await service.request({ method: 'POST', url, bearer, json: { file_id } });
    expect([400, 404]).toContain(answer.status);
  }
});
