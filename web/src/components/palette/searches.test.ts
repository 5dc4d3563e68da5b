import { expect, it } from 'vitest';
import { refusal, startFakeServer } from '../../../testing/fake-server.ts';
import { recordSearches } from './searches.ts';

const uuid = '01890000-0000-7000-8000-00000000000a';
const message = { uuid, direction: 'outbound', text: '', sender_name: 'Ada', session_name: null };
const { signal } = new AbortController();
it('shows the part of an answer that matches, without Markdown', async () => {
  const server = startFakeServer();
  const text = `${'**word** '.repeat(40)}the *needle* here`;
  server.on('get', '/api/v1/messages', { messages: [{ ...message, text }] as never, next_cursor: 'more' });
  const { found, total } = await recordSearches.message.read('needle', signal);
  expect(found).toEqual([{ id: uuid, name: '… word word word the needle here', hint: 'Ada', to: `/messages/${uuid}` }]);
  // The list has more.
  expect(total).toBe(2);
});

it('leaves what a user wrote as it is', async () => {
  const server = startFakeServer();
  const written = { ...message, direction: 'inbound', text: '2 * 3 * 4' };
  server.on('get', '/api/v1/messages', { messages: [written] as never, next_cursor: null });
  const { found } = await recordSearches.message.read('3 *', signal);
  expect(found[0]?.name).toBe('2 * 3 * 4');
});

it('finds a message by its id, or none', async () => {
  const server = startFakeServer();
  server.on('get', '/api/v1/messages/{message_uuid}', { message: { ...message, text: 'Hello' } } as never);
  expect((await recordSearches.message.read(uuid, signal)).found).toMatchObject([{ id: uuid, name: 'Hello' }]);
  server.on('get', '/api/v1/messages/{message_uuid}', refusal(404, 'not_found'));
  expect(await recordSearches.message.read(uuid, signal)).toEqual({ found: [], total: 0 });
});

it('does not search messages for a letter or two', async () => {
  expect(await recordSearches.message.read('ab', signal)).toEqual({ found: [], total: 0 });
});

it('asks lists for some of the matches, or for the record with an id', async () => {
  const server = startFakeServer();
  server.on('get', '/api/v1/platform/bots', { bots: [{ uuid, name: 'Helper' }] as never, total: 200 });
  expect(await recordSearches.bot.read('help', signal)).toEqual({
    found: [{ id: uuid, name: 'Helper', to: `/bots/${uuid}` }],
    total: 200,
  });
  await recordSearches.bot.read(uuid, signal);
  expect(server.calls.map(({ query }) => query)).toEqual([
    { search: 'help', limit: '20', sort_by: 'name', sort_order: 'ASC' },
    { ids: uuid, limit: '20' },
  ]);
});
