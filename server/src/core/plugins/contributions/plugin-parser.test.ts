import { expect, it, vi } from 'vitest';
import { contributingPlugin } from '../../../../test/factories/contributing-plugin.ts';
import { parsersOf } from './plugin-parser.ts';

const text = { en_US: 'Units' };
const parsers = [{ label: text, description: text, media_types: ['text/units'], extensions: ['units'] }];

it('a parser reads a file in chunks, within limits, and reports its progress', async () => {
  const document = { title: 'Units' };
  const chunks: Uint8Array[] = [];
  const { plugin, calls, requests } = contributingPlugin({ parsers }, async ({ bytes = [], host }) => {
    for await (const chunk of bytes) chunks.push(chunk);
    const given = [
      { done: 1, total: 2 },
      { done: 3, total: 2 },
      { done: -1, total: 2 },
      { done: '1', total: 2 },
      null,
      'x',
    ];
    for (const each of given) host.notify?.('progress', each);
    return document;
  });
  const [parser] = parsersOf(plugin, calls);
  expect(parser).toMatchObject({ plugin_id: 'example/units', media_types: ['text/units'], extensions: ['units'] });
  const progress = vi.fn();
  const bytes = Buffer.alloc(70_000, 1);
  const read = await parser?.parse(
    { name: 'a.units', media_type: 'text/units', bytes } as never,
    {
      signal: new AbortController().signal,
      progress,
      maximumPages: 1,
      maximumCharacters: 2,
      maximumExpandedBytes: 3,
    } as never,
  );
  expect(read).toEqual(document);
  expect(chunks.map(({ length }) => length)).toEqual([65_536, 4464]);
  expect(requests).toMatchObject([
    {
      method: 'parser',
      parameters: {
        file: { name: 'a.units', media_type: 'text/units' },
        limits: { pages: 1, characters: 2, expanded_bytes: 3 },
      },
    },
  ]);
  expect(progress.mock.calls).toEqual([[1, 2]]);
});
