import { PassThrough } from 'node:stream';
import type { Plugin } from '@parley/sdk';
import { ParleyError } from '@parley/sdk';
import { expect, it, test, vi } from 'vitest';
import { collected } from '../../test/factories/channel-pair.ts';
import { pluginMessage, recordedHost, startParameters } from '../../test/factories/plugin-host-calls.ts';
import { everyContribution, pluginModule } from '../../test/factories/plugin-module.ts';
import type { PluginMethod, PluginMethods } from '../core/plugins/plugin-protocol.ts';
import { channelLimits } from './channel/channel.ts';
import { openChannel } from './channel/open-channel.ts';
import { connectPlugin, type PluginCallRequest } from './plugin-connection.ts';
import { servePlugin } from './process/serve-plugin.ts';

const about = { message: pluginMessage, attempt: 2 };
const collection = { collection_id: 'c', knowledge_base_uuid: 'b', settings: {} };
const { signal } = new AbortController();

/** A connection to a module in this process. */
function connected(load: () => Promise<unknown>) {
  const input = new PassThrough();
  const output = new PassThrough();
  const lines: unknown[] = [];
  const served = servePlugin({ input: output, output: input, load });
  const connection = connectPlugin({ input, output, log: (line) => lines.push(line) });
  return { connection, served, lines };
}

async function started(plugin?: Plugin) {
  const seen = vi.fn();
  const { connection, served, lines } = connected(async () => ({ default: plugin ?? pluginModule(seen) }));
  const host = recordedHost();
  const result = await connection.start(startParameters(everyContribution), { signal, timeoutMs: 5000, host });
  function request<Method extends PluginMethod>(
    method: Method,
    parameters: PluginMethods[Method]['parameters'],
    more: Partial<PluginCallRequest> = {},
  ): PluginCallRequest {
    return { method, parameters, timeoutMs: 5000, signal, host, ...more };
  }
  const tool = (name: string, parameters: Record<string, unknown> = {}, more: Partial<PluginCallRequest> = {}) =>
    connection.call(request('tool', { ...about, name, parameters }, more));
  return { connection, served, lines, host, seen, result, request, tool };
}

async function* bytesOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

it('a module is started, and names what it has handlers for', async () => {
  const { result, seen, host } = await started();
  expect(result.protocol).toBe(1);
  expect(result.handlers).toEqual(
    expect.arrayContaining(['tool shout', 'command greet', 'listener sent', 'parser', 'engine ingest', 'runner echo']),
  );
  expect(result.handlers).toEqual(expect.arrayContaining(['page panel', 'schedule nightly']));
  expect(seen).toHaveBeenCalledWith('start', { key: 'secret' });
  expect(host.calls).toEqual([{ method: 'settings', parameters: {} }]);
});

it('every kind of handler is called, and its result normalised', async () => {
  const { connection, request, tool, seen, host } = await started();
  const call = (...parameters: Parameters<typeof request>) => connection.call(request(...parameters));
  expect(await tool('shout', { text: 'hello' })).toEqual({ text: 'HELLO Ada 2' });
  expect(host.notified).toEqual([{ name: 'progress', parameters: {} }]);
  expect(await call('command', { ...about, name: 'greet', parameters: ['you'], privilege: 2, prefix: '!' })).toEqual([
    { type: 'Plain', text: '!you 2' },
  ]);
  const event = { message_chain: [{ type: 'Plain' as const, text: 'a' }] };
  expect(await call('listener', { ...about, point: 'received', event })).toEqual({ action: 'answer', ...event });
  expect(await call('listener', { ...about, point: 'sent', event })).toBeNull();
  expect(seen).toHaveBeenCalledWith('sent', event);
  const file = { name: 'a.lines', extension: 'lines', media_type: 'text/lines' };
  const limits = { pages: 2, characters: 10, expanded_bytes: 10 };
  const parsed = await call('parser', { file, limits }, { bytes: bytesOf('one\ntw', 'o\nthree') });
  expect(parsed).toMatchObject({ title: 'a.lines', blocks: [{ text: 'one' }, { text: 'two' }] });
  expect(host.notified.at(-1)).toEqual({ name: 'progress', parameters: { done: 1, total: 2 } });
  expect(await call('page', { name: 'panel', endpoint: '/x', method: 'POST', body: [1] })).toEqual({
    endpoint: '/x',
    method: 'POST',
    body: [1],
  });
  expect(await call('schedule', { name: 'nightly', due_at: 'now' })).toBeNull();
  expect(seen).toHaveBeenCalledWith('schedule', 'now');
});

it('an engine ingests what is streamed to it', async () => {
  const { connection, request, seen, host } = await started();
  const call = (...parameters: Parameters<typeof request>) => connection.call(request(...parameters));
  const document = { document_id: 'd', file_id: 'f', file_name: 'a', extension: '', media_type: '' };
  const indexed = { ...document, created_at: '', title: null, metadata: {} };
  expect(await call('engine_open', { collection })).toBeNull();
  const bytes = bytesOf('a long text');
  expect(await call('engine_ingest', { collection, document: indexed, parsed: null }, { bytes })).toEqual({
    chunks: 1,
  });
  expect(host.notified).toEqual([{ name: 'progress', parameters: { stage: 'embedding', done: 1, total: 1 } }]);
  const query = { collection, query: 'long', settings: { top_k: 5 }, filters: [] };
  expect(await call('engine_retrieve', query)).toMatchObject([{ id: 'd', text: 'a long text' }]);
  expect(await call('engine_remove', { collection, document_id: 'd' })).toBeNull();
  expect(await call('engine_retrieve', query)).toEqual([]);
  expect(await call('engine_drop', { collection })).toBeNull();
  expect(seen.mock.calls.slice(-2)).toEqual([
    ['open', 'c'],
    ['drop', 'c'],
  ]);
});

it('a runner streams its answer, and may use the host meanwhile', async () => {
  const { connection, request, host } = await started();
  const runner = (text: string) => request('runner', { ...about, name: 'echo', request: { text } as never });
  const answer = await collected(connection.stream(runner('hi')));
  expect(answer).toEqual([
    { type: 'reasoning', text: 'thinking' },
    { type: 'text', text: 'h' },
    { type: 'text', text: 'i' },
  ]);
  expect(host.calls.filter(({ method }) => method === 'settings').length).toBe(2);
  await expect(collected(connection.stream(runner('broken')))).rejects.toMatchObject({
    reason: 'provider_failed',
    message: 'no more',
  });
});

it('a module reaches all of the host', async () => {
  const { tool, host, lines } = await started();
  const result = (await tool('use_host', { content: 'body' })) as { text: string };
  expect(JSON.parse(result.text)).toEqual({
    settings: { key: 'secret' },
    fetch: {
      status: 201,
      url: 'https://api.example.com/moved',
      redirected: true,
      header: 'yes',
      text: 'received body',
    },
    stored: { deep: [1] },
    absent: true,
    keys: ['k'],
    sum: 3,
    models: [{ uuid: 'm', name: 'Model', kind: 'llm' }],
    generated: { text: 'generated', input_tokens: 1, output_tokens: 2 },
    streamed: ['one', 'two'],
    vectors: [[1, 2]],
    passages: [],
    files: ['content'],
    turns: [],
  });
  expect(lines).toEqual([{ level: 'warn', text: 'a line' }]);
  const asked = new Map(host.calls.map(({ method, parameters }) => [method, parameters]));
  expect(asked.get('fetch')).toMatchObject({ method: 'POST', redirect: 'follow', body: btoa('body') });
  expect(asked.get('reply')).toEqual({ message_chain: [{ type: 'Plain', text: 'first' }] });
  expect(asked.get('models_embed')).toEqual({ model: 'm', texts: ['text'], purpose: 'query' });
  expect(asked.get('files_read')).toEqual({ element: pluginMessage.message_chain[0] });
  expect(asked.size).toBe(17);
});

test.each([
  [{ message: 'broken' }, { reason: 'plugin_failed', message: 'broken' }],
  [
    { reason: 'conflict', message: 'taken' },
    { reason: 'conflict', message: 'taken' },
  ],
  [
    { reason: 'no-such', message: 'x' },
    { reason: 'plugin_failed', message: 'x' },
  ],
])('what a handler throws becomes the error of its call: %j', async (thrown, expected) => {
  const { tool } = await started();
  await expect(tool('fail', thrown)).rejects.toMatchObject(expected);
  expect(await tool('shout', { text: 'on' })).toEqual({ text: 'ON Ada 2' });
});

it('a cancelled call reaches its handler, and fails with the reason of the signal', async () => {
  const { tool, seen } = await started();
  const controller = new AbortController();
  const call = tool('wait', {}, { signal: controller.signal });
  await vi.waitFor(() => expect(seen).toHaveBeenCalledWith('waiting', null));
  controller.abort(new ParleyError('reset', 'reset'));
  await expect(call).rejects.toMatchObject({ reason: 'reset' });
  await vi.waitFor(() => expect(seen).toHaveBeenCalledWith('aborted', expect.anything()));
});

it('a call has a deadline', async () => {
  const { tool, connection } = await started();
  await expect(tool('wait', {}, { timeoutMs: 20 })).rejects.toMatchObject({ reason: 'plugin_timeout' });
  await connection.ping(1000);
});

it('a host cannot be used once its call has ended', async () => {
  const { tool, seen } = await started();
  expect(await tool('outlive')).toEqual({ text: 'false' });
  await vi.waitFor(() => expect(seen).toHaveBeenCalledWith('refused', expect.anything()));
  expect(seen.mock.lastCall?.[1]).toMatchObject({ reason: 'conflict', message: expect.stringContaining('has ended') });
});

it('handlers that are missing are named, and nothing is started', async () => {
  const start = vi.fn();
  const { connection } = connected(async () => ({ default: { start, tools: { shout: () => '' }, engine: {} } }));
  const host = recordedHost();
  const starting = connection.start(startParameters(everyContribution), { signal, timeoutMs: 5000, host });
  await expect(starting).rejects.toMatchObject({
    reason: 'plugin_invalid',
    message: expect.stringContaining('tool use_host, tool fail'),
    details: expect.arrayContaining([{ path: 'engine ingest', message: 'is required', rule: 'required' }]),
  });
  expect(start).not.toHaveBeenCalled();
});

test.each<[string, () => Promise<unknown>, Partial<PluginMethods['start']['parameters']>, object]>([
  ['another version of the protocol', async () => ({}), { protocol: 7 }, { reason: 'plugin_incompatible' }],
  ['a module without a default export', async () => ({ tools: {} }), {}, { reason: 'plugin_invalid' }],
  [
    'a module that cannot be loaded',
    () => Promise.reject(new SyntaxError('Unexpected token')),
    {},
    { reason: 'plugin_failed', message: 'Unexpected token' },
  ],
  [
    'a module that fails to start',
    async () => ({ default: { start: () => Promise.reject(new Error('no key')), tools: { shout: () => '' } } }),
    { contributes: { tools: [{ name: 'shout', description: 'a', parameters: {} }] } },
    { reason: 'plugin_failed', message: 'no key' },
  ],
])('a start fails: %s', async (_, load, more, expected) => {
  const { connection } = connected(load);
  const parameters = { ...startParameters({ commands: [] }), ...more };
  const starting = connection.start(parameters, { signal, timeoutMs: 5000, host: recordedHost() });
  await expect(starting).rejects.toMatchObject(expected);
});

it('calls before the start, of unknown methods and of handlers that there are not, fail', async () => {
  const early = connected(async () => ({}));
  const parameters = { ...about, name: 'shout', parameters: {} };
  const request = { method: 'tool' as const, parameters, timeoutMs: 5000, signal, host: recordedHost() };
  await expect(early.connection.call(request)).rejects.toMatchObject({ reason: 'plugin_not_running' });
  const { tool, connection } = await started();
  await expect(tool('constructor')).rejects.toMatchObject({ reason: 'not_found' });
  await expect(connection.call({ ...request, method: 'toString' as never })).rejects.toMatchObject({
    reason: 'not_found',
  });
});

it('a process that asks outside of a call, or for what there is not, is refused', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const connection = connectPlugin({ input, output, log: () => undefined });
  const process = openChannel({
    input: output,
    output: input,
    limits: channelLimits,
    notified: () => undefined,
    answer: async (during) => {
      const open = (method: string) => process.open({ method, parameters: {}, during, timeoutMs: null, signal });
      await expect(open('constructor').result).rejects.toMatchObject({ reason: 'not_found' });
      return { result: await open('settings').result };
    },
  });
  const open = process.open({ method: 'settings', parameters: {}, during: null, timeoutMs: null, signal });
  await expect(open.result).rejects.toMatchObject({ reason: 'plugin_permission_denied' });
  const parameters = { name: 'panel', endpoint: '', method: '', body: null };
  const request = { method: 'page' as const, parameters, timeoutMs: 5000, signal, host: recordedHost() };
  expect(await connection.call(request)).toEqual({ key: 'secret' });
});

it('closing ends both sides, and fails calls with plugin_crashed', async () => {
  const { connection, served, tool, seen } = await started();
  const call = tool('wait');
  await vi.waitFor(() => expect(seen).toHaveBeenCalledWith('waiting', null));
  connection.close();
  await expect(call).rejects.toMatchObject({ reason: 'plugin_crashed' });
  expect([await connection.closed, await served]).toEqual([null, null]);
  await expect(connection.ping(1000)).rejects.toMatchObject({ reason: 'plugin_crashed' });
});
