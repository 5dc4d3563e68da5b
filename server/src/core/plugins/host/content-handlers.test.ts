import { type KnowledgeAnswer, type MessageChain, type MessageElement, ParleyError } from '@parley/sdk';
import { expect, it, vi } from 'vitest';
import { collected } from '../../../../test/factories/channel-pair.ts';
import { pluginMessage } from '../../../../test/factories/plugin-host-calls.ts';
import { scriptedPlugins } from '../../../../test/factories/scripted-plugins.ts';
import { contentHandlers } from './content-handlers.ts';
import type { HostRequest, PluginMessageScope } from './plugin-host-api.ts';

const passage = { id: 'a', text: 'A metre' } as KnowledgeAnswer['passages'][number];
const found: KnowledgeAnswer = { passages: [passage], failures: [] } as never;
const file: MessageElement = { type: 'File', name: 'a.txt', url: 'parley://a' };
const quoted: MessageElement = { type: 'Image', url: 'parley://b' };
const chain: MessageChain = [file, { type: 'Quote', origin: [quoted] } as MessageElement];

function set({
  knowledge = ['pipeline', 'chosen'] as ('pipeline' | 'chosen')[],
  ofPipeline = ['base'],
  isForMessage = true,
  answer = found,
  bytes = Buffer.alloc(150_000, 7),
} = {}) {
  const retrieve = vi.fn(async () => answer);
  const readMedia = vi.fn(async () => ({ name: 'a', media_type: 'text/plain', bytes }));
  const { plugins } = scriptedPlugins([{ permissions: { knowledge, files: true }, grants: { knowledge: ['chosen'] } }]);
  const [plugin] = plugins.list();
  if (plugin === undefined) throw new Error('there is one');
  const signal = new AbortController().signal;
  // What is read of it.
  const scope = {
    message: { ...pluginMessage, message_chain: chain },
    knowledgeBases: ofPipeline,
  } as unknown as PluginMessageScope;
  const request: HostRequest = { plugin, scope: isForMessage ? scope : null, signal, nextKey: () => null };
  return { ...contentHandlers({ retrieve, readMedia }), retrieve, readMedia, request, signal };
}

it.each([
  ['those of the pipeline', {}, null, ['base']],
  ['those of the pipeline that it names', { ofPipeline: ['base', 'other'] }, ['other'], ['other']],
  ['chosen ones that it names', {}, ['chosen', 'base'], ['chosen', 'base']],
  ['chosen ones where the pipeline has none', { ofPipeline: [] }, null, ['chosen']],
  ['chosen ones without a message', { isForMessage: false }, null, ['chosen']],
  [
    'none with the permission for those of the pipeline only',
    { knowledge: ['pipeline' as const], ofPipeline: [] },
    null,
    [],
  ],
  ['chosen ones with the permission for those only', { knowledge: ['chosen' as const] }, null, ['chosen']],
])('a plugin searches %s', async (_, setting, asked, searched) => {
  const { knowledge_search, retrieve, request, signal } = set(setting);
  expect((await knowledge_search({ query: 'metre', bases: asked }, request)).result).toEqual([passage]);
  const asked_by = { session_id: 'person_person_1', message_uuid: pluginMessage.uuid };
  expect(retrieve).toHaveBeenCalledExactlyOnceWith(
    searched,
    'metre',
    request.scope === null ? { signal } : { signal, asked_by },
  );
});

it.each([
  ['ones that were not granted', {}, ['other']],
  ['one of several that was not granted', {}, ['base', 'other']],
  ['chosen ones without the permission for them', { knowledge: ['pipeline' as const] }, ['chosen']],
  ['those of the pipeline without the permission for them', { knowledge: ['chosen' as const] }, ['base']],
  ['those of a pipeline without a message', { isForMessage: false }, ['base']],
])('a plugin may not search %s', async (_, setting, bases) => {
  const { knowledge_search, retrieve, request } = set(setting);
  await expect(knowledge_search({ query: 'metre', bases }, request)).rejects.toMatchObject({
    reason: 'plugin_permission_denied',
  });
  expect(retrieve).not.toHaveBeenCalled();
});

it('a search fails when all of it failed', async () => {
  const failure = { reason: 'provider_failed', error: 'No vectors' } as KnowledgeAnswer['failures'][number];
  const search = async (passages: KnowledgeAnswer['passages']) => {
    const { knowledge_search, request } = set({ answer: { ...found, passages, failures: [failure] } });
    return (await knowledge_search({ query: 'metre', bases: null }, request)).result;
  };
  expect(await search([passage])).toEqual([passage]);
  await expect(search([])).rejects.toMatchObject({ reason: 'provider_failed', message: 'No vectors' });
});

it.each([
  ['of the message', file],
  ['in a quote', quoted],
])('a plugin reads a file %s', async (_, element) => {
  const { files_read, readMedia, request, signal } = set();
  const { bytes } = await files_read({ element }, request);
  // It always has some.
  const chunks = await collected(bytes as AsyncIterable<Uint8Array>);
  expect(chunks.map(({ length }) => length)).toEqual([65_536, 65_536, 18_928]);
  expect(Buffer.concat(chunks)).toEqual(Buffer.alloc(150_000, 7));
  expect(readMedia).toHaveBeenCalledExactlyOnceWith(element, signal);
});

it.each<[string, MessageElement]>([
  ['of another message', { type: 'File', name: 'a.txt', url: 'parley://other' }],
  ['by another name', { ...file, name: 'b.txt' } as MessageElement],
  ['elsewhere', { type: 'File', name: 'a.txt', url: 'file:///etc/passwd' }],
])('a plugin does not read a file %s', async (_, element) => {
  const { files_read, readMedia, request } = set();
  await expect(files_read({ element }, request)).rejects.toMatchObject({ reason: 'not_found' });
  expect(readMedia).not.toHaveBeenCalled();
});

it('a plugin reads no file without a message, and is told when one cannot be read', async () => {
  const without = set({ isForMessage: false });
  await expect(without.files_read({ element: file }, without.request)).rejects.toBeInstanceOf(ParleyError);
  const gone = set();
  gone.readMedia.mockRejectedValue(new ParleyError('not_found', 'It is gone'));
  await expect(gone.files_read({ element: file }, gone.request)).rejects.toMatchObject({ reason: 'not_found' });
});
