import { fakeTool, silentLogger } from '@parley/sdk/testing';
import { expect, it, vi } from 'vitest';
import { contributingPlugin } from '../../../../test/factories/contributing-plugin.ts';
import { pluginMessage } from '../../../../test/factories/plugin-host-calls.ts';
import type { ScriptedPlugin } from '../../../../test/factories/scripted-plugins.ts';
import { ToolCatalog } from '../../tools/tool-catalog.ts';
import { PluginToolSource } from './plugin-tools.ts';

const parameters = { type: 'object', properties: { value: { type: 'number' } } };
const contributes = { tools: [{ name: 'convert', description: 'Converts.', parameters, read_only: true }] };
const image = { type: 'Image', path: 'stored/a.png' };
const message = { ...pluginMessage, message_chain: [image as never] };

function set(answers: ScriptedPlugin['answers']) {
  const used = contributingPlugin(contributes, answers, { attempt: 3 });
  const source = new PluginToolSource(used.calls);
  const context = { message, signal: new AbortController().signal, progress: vi.fn() };
  const call = async (given = {}) => {
    const [tool] = await source.tools();
    return tool?.call(given, context);
  };
  return { ...used, source, call, context };
}

it('a tool is described as the manifest does, and is the same object each time', async () => {
  const { source, disable } = set(() => ({ text: '' }));
  const [tool] = await source.tools();
  expect(tool).toMatchObject({
    name: 'convert',
    prefix: 'units',
    extension: 'plugin/example/units',
    readOnly: true,
    description: 'Converts.',
    parameters,
  });
  expect((await source.tools())[0]).toBe(tool);
  disable();
  expect(await source.tools()).toEqual([]);
});

it('a call reaches the plugin with message and attempt', async () => {
  const { call, requests, points } = set(() => ({ text: '1000 m', attachments: [image] }));
  expect(await call({ value: 1 })).toEqual({ text: '1000 m', attachments: [image] });
  expect(requests).toMatchObject([
    {
      plugin: 'example/units',
      method: 'tool',
      parameters: { name: 'convert', parameters: { value: 1 }, attempt: 3, message: { uuid: message.uuid } },
    },
  ]);
  expect(points).toEqual(['tool:convert']);
});

it.each([
  ['nothing', undefined],
  ['a text', 'text'],
  ['no text', { attachments: [] }],
  ['another field', { text: 'a', html: '<b>' }],
  ['a number', { text: 1 }],
  ['attachments that are no list', { text: 'a', attachments: image }],
  ['attachments of no kind', { text: 'a', attachments: [{ type: 'Virus' }] }],
  ['a file of another message', { text: 'a', attachments: [{ type: 'Image', path: 'stored/b.png' }] }],
  [
    'one in a quote',
    { text: 'a', attachments: [{ type: 'Quote', origin: [{ type: 'Image', path: 'stored/b.png' }] }] },
  ],
])('a result with %s is refused', async (_, result) => {
  await expect(set(() => result).call()).rejects.toMatchObject({ reason: 'plugin_response_invalid' });
});

it('progress restarts the timeout of the call', async () => {
  const { call, context } = set(({ host }) => {
    host.notify?.('progress', {});
    return { text: 'a' };
  });
  await call();
  expect(context.progress).toHaveBeenCalledOnce();
});

it('a call of a plugin that was disabled meanwhile fails', async () => {
  const { source, disable, context, requests } = set(() => ({ text: 'a' }));
  const [tool] = await source.tools();
  disable();
  await expect(tool?.call({}, context)).rejects.toMatchObject({ reason: 'plugin_not_running' });
  expect(requests).toEqual([]);
});

it('a tool gets the name of its plugin before its own where another tool has that', async () => {
  const { source } = set(() => ({ text: 'a' }));
  const other = fakeTool({ name: 'convert' });
  const catalog = new ToolCatalog([{ name: 'built-in', tools: async () => [other] }, source], silentLogger);
  const tools = await catalog.tools();
  expect([...tools.keys()]).toEqual(['convert', 'units_convert']);
  expect(tools.get('convert')).toBe(other);
  expect(tools.get('units_convert')?.extension).toBe('plugin/example/units');
});
