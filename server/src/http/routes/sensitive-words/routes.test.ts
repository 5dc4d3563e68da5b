import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService({ listen: false });
afterAll(() => service.stop());

const url = '/api/v1/safety/sensitive-words';
const bearer = service.account.token;
const read = async () => (await service.request({ url, bearer })).body.data;
const put = (json: unknown) => service.request({ method: 'PUT', url, bearer, json });

beforeEach(() => put({ words: [], mask: '*', mask_word: '' }));

it('is empty at first, and stores changes', async () => {
  expect(await read()).toEqual({ words: [], mask: '*', mask_word: '' });
  const list = { words: ['bad', 'u.ly', '坏话', '😀'], mask: '#', mask_word: '(hidden)' };
  const changed = await put(list);
  expect([changed.status, changed.body]).toEqual([200, { code: 0, msg: 'ok', data: {} }]);
  expect(await read()).toEqual(list);
});

it('can be written back as it was read, and in parts', async () => {
  await put({ words: ['bad'], mask: '#' });
  expect((await put(await read())).status).toBe(200);
  await put({ mask_word: 'x' });
  await put({});
  expect(await read()).toEqual({ words: ['bad'], mask: '#', mask_word: 'x' });
});

it.each<[string, object, string]>([
  ['a pattern that is none', { words: ['fine', 'b[ad'] }, 'words[1]'],
  ['a pattern that looks around', { words: ['(?=a)b'] }, 'words[0]'],
  ['a pattern that matches nothing', { words: ['a*'] }, 'words[0]'],
  ['half a character', { words: ['a', 'b', '\ud83d'] }, 'words[2]'],
  ['an empty word', { words: [''] }, 'words[0]'],
  ['a word that is too long', { words: ['a'.repeat(201)] }, 'words[0]'],
  ['too many words', { words: Array.from({ length: 10_001 }, (_, index) => `${index}`) }, 'words'],
  ['words that are none', { words: [1] }, 'words[0]'],
  ['no list', { words: 'bad' }, 'words'],
  ['no mask', { mask: '' }, 'mask'],
  ['a mask that is too long', { mask: '*'.repeat(17) }, 'mask'],
  ['a mask that is none', { mask: null }, 'mask'],
  ['a masked word that is too long', { mask_word: 'a'.repeat(201) }, 'mask_word'],
  ['an unknown field', { words: [], language: 'en' }, 'language'],
])('is not changed with %s', async (_, json, path) => {
  await put({ words: ['before'] });
  const answer = await put(json);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ code: -1, reason: 'invalid_request' });
  expect(answer.body.details[0].path.replace(/[/.](\d+)/, '[$1]')).toBe(path);
  expect((await read()).words).toEqual(['before']);
});

it.each(['[]', 'null', '"a"', '1', '{', ''])('is not changed with the body %j', async (payload) => {
  const headers = { 'content-type': 'application/json' };
  expect((await service.request({ method: 'PUT', url, bearer, headers, payload })).status).toBe(400);
});

it('holds as many words as there may be, of any script', async () => {
  const words = Array.from({ length: 10_000 }, (_, index) => `${index}`.padStart(100, '中文'));
  expect((await put({ words })).status).toBe(200);
  expect((await read()).words).toEqual(words);
  expect((await put({ words: [], mask_word: 'a'.repeat(11 * 1024 * 1024) })).status).toBe(413);
});

it('is on record when it was changed', async () => {
  await put({ words: ['bad'] });
  const { data } = (await service.request({ url: '/api/v1/audit?limit=1', bearer })).body;
  expect(JSON.stringify(data)).toContain('sensitive-words.update');
});

describe('is read and changed', () => {
  it('by keys that may read and write', async () => {
    const { key: reader } = await service.createApiKey(['read']);
    const { key: writer } = await service.createApiKey(['write']);
    expect((await service.request({ url, apiKey: reader })).status).toBe(200);
    expect((await service.request({ method: 'PUT', url, apiKey: reader, json: {} })).status).toBe(403);
    expect((await service.request({ method: 'PUT', url, apiKey: writer, json: { words: ['a'] } })).status).toBe(200);
  });

  it('by no other account', async () => {
    const { key: apiKey } = await service.createApiKey(['send']);
    for (const request of [{ url }, { method: 'PUT', url, json: {} }]) {
      expect((await service.request(request)).status).toBe(401);
      expect((await service.request({ ...request, apiKey })).status).toBe(403);
    }
  });
});
