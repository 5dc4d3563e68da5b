import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestService } from '../server/test/factories/start-test-service.ts';
import { mentions } from './mentions.ts';
import { compatibilityDocs, compatibilityDocsFile, compatibilityTable } from './write-compatibility-docs.ts';

const service = await startTestService({ listen: false });
const { groups, added, elsewhere } = compatibilityTable;
const rows = groups.flatMap(({ test, routes }) => routes.map((row) => ({ ...row, test })));

afterAll(() => service.stop());

/** `GET /bots/:bot_uuid/*` is `GET /bots/{bot_uuid}/{path}`. */
const described = (method: string, url: string) =>
  `${method} ${url.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}')}`;
const inventory = service.service.inventory
  .filter(({ method }) => method !== 'HEAD')
  .map(({ method, url }) => described(method, url));

it('docs/compatibility.md matches the table; `npm run docs` updates it', () => {
  expect(readFileSync(compatibilityDocsFile, 'utf8')).toBe(compatibilityDocs());
});

describe('the table of compatibility', () => {
  it('holds every route of the reference system once', () => {
    expect(rows).toHaveLength(135);
    expect(new Set(rows.map(({ route }) => route)).size).toBe(135);
  });

  it('says how each route differs that is not the same', () => {
    expect(rows.filter(({ status, difference = '' }) => status !== 'same' && difference === '')).toEqual([]);
    expect(rows.filter(({ status }) => !['same', 'repaired', 'not applicable'].includes(status))).toEqual([]);
  });

  it.each(rows)('names tests that mention $route', ({ route, test }) => {
    expect(mentions(test, route)).toBe(true);
  });

  it('holds routes that are there', () => {
    const needed = rows.filter(({ status }) => status !== 'not applicable').map(({ route }) => route);
    // The page itself is what the wildcard answers with for an empty path.
    expect(needed.filter((route) => !inventory.includes(route))).toEqual(['GET /']);
    expect(inventory).toContain('GET /{path}');
  });

  it.each(rows.filter(({ status }) => status === 'not applicable'))(
    'is right that $route does nothing',
    async (row) => {
      const [method, url = ''] = row.route.split(' ');
      const answer = await service.request({ method: method ?? '', url, bearer: service.account.token });
      expect(answer.status).toBe(inventory.includes(row.route) ? 403 : 404);
      expect(answer.body).toMatchObject({ code: -1, reason: expect.stringMatching(/^(forbidden|not_found)$/) });
    },
  );

  it('knows every route that there is', () => {
    const known = new Set([...rows, ...added].map(({ route }) => route));
    const others = inventory.filter((route) => !known.has(route));
    const isElsewhere = (route: string) => elsewhere.some(({ prefix }) => route.split(' ')[1]?.startsWith(prefix));
    expect(others.filter((route) => !isElsewhere(route))).toEqual([]);
    for (const { prefix } of elsewhere) {
      expect(
        others.some((route) => route.split(' ')[1]?.startsWith(prefix)),
        prefix,
      ).toBe(true);
    }
  });

  it('counts only what is there as added', () => {
    const listed = new Set(rows.map(({ route }) => route));
    expect(added.filter(({ route }) => listed.has(route) || !inventory.includes(route))).toEqual([]);
  });
});
