import { type ModelCall, type OpenedModel, ParleyError, type PluginGeneration } from '@parley/sdk';
import { type FakeAnswer, fakeLanguageModel } from '@parley/sdk/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collected } from '../../../test/factories/channel-pair.ts';
import { openEmbeddingFixture } from '../../../test/factories/embedding-fixture.ts';
import { pluginMessage } from '../../../test/factories/plugin-host-calls.ts';
import { scriptedPlugins } from '../../../test/factories/scripted-plugins.ts';
import type { HostRequest, PluginMessageScope } from '../../core/plugins/host/plugin-host-api.ts';
import { type HostModelsOptions, hostModels } from './host-models.ts';

const generation: PluginGeneration = { model: 'granted', messages: [{ role: 'user', content: 'Say hello' }] };
const refusal = (reason: 'provider_unauthorized' | 'quota' | 'provider_failed') => ({
  error: new ParleyError(reason, 'Not with this key'),
});

/** What a plugin may ask of models, with a provider that answers one after the other. */
function set(answers: FakeAnswer[], over: Partial<HostModelsOptions> = {}, keys = 3) {
  const model = fakeLanguageModel({ answers });
  const recorded: { plugin: string; call: ModelCall }[] = [];
  const added: ModelCall[] = [];
  const reported: (string | null)[] = [];
  const opened: OpenedModel = {
    uuid: 'granted',
    name: 'Model',
    abilities: [],
    model,
    keys,
    report: (failure) => reported.push(failure?.reason ?? null),
  };
  const embedded: unknown[] = [];
  const handlers = hostModels({
    openModel: async () => opened,
    describe: async (uuid) => (uuid === 'gone' ? null : { uuid, name: `Model ${uuid}`, kind: 'llm' }),
    embed: async (...call) => {
      embedded.push(call);
      return call[1].map(() => Float32Array.of(0.5, 1));
    },
    record: (plugin, call) => recorded.push({ plugin, call }),
    silenceTimeoutMs: 5000,
    ...over,
  });
  const { plugins } = scriptedPlugins([{ id: 'example/writer', grants: { models: ['granted', 'gone'] } }]);
  const [plugin] = plugins.list();
  if (plugin === undefined) throw new Error('there is one');
  const stopping = new AbortController();
  const request: HostRequest = { plugin, scope: null, signal: stopping.signal, nextKey: () => null };
  // What is read of it.
  const scope = { message: pluginMessage, addCall: (call) => added.push(call) } as Partial<PluginMessageScope>;
  const forMessage: HostRequest = { ...request, scope: scope as PluginMessageScope };
  return { handlers, model, recorded, added, reported, embedded, request, forMessage, stopping };
}

async function* itemsOf({ items }: { items?: AsyncIterable<unknown> }): AsyncGenerator<string> {
  for await (const item of items ?? []) yield (item as { text: string }).text;
}

describe('a plugin', () => {
  it('generates text, and is told what it took', async () => {
    const { handlers, model, recorded, request, reported } = set([{ chunks: ['Hel', 'lo'], reasoning: ['hm'] }]);
    const asked: PluginGeneration = {
      ...generation,
      messages: [
        { role: 'system', content: 'Be short' },
        { role: 'user', content: 'Hello?' },
        { role: 'assistant', content: 'Yes?' },
      ],
      max_tokens: 7,
      temperature: 0.5,
    };
    expect((await handlers.models_generate(asked, request)).result).toEqual({
      text: 'Hello',
      input_tokens: 1,
      output_tokens: 2,
    });
    expect(model.calls[0]).toMatchObject({
      prompt: [
        { role: 'system', content: 'Be short' },
        { role: 'user', content: [{ type: 'text', text: 'Hello?' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Yes?' }] },
      ],
      maxOutputTokens: 7,
      temperature: 0.5,
    });
    expect(recorded).toEqual([
      { plugin: 'example/writer', call: expect.objectContaining({ model_uuid: 'granted', reason: null }) },
    ]);
    expect(reported).toEqual([null]);
  });

  it('has its calls recorded with the message that it is called for', async () => {
    const { handlers, added, recorded, forMessage } = set([{ chunks: ['Hello'] }]);
    await handlers.models_generate(generation, forMessage);
    expect(added).toEqual([expect.objectContaining({ plugin_id: 'example/writer', output_tokens: 1, reason: null })]);
    expect(recorded).toEqual([]);
  });

  it('reads the text as it comes, and ends the call when it reads no more', async () => {
    function* endless() {
      for (;;) yield 'more ';
    }
    const { handlers, recorded, request } = set([{ chunks: endless() }]);
    const read: string[] = [];
    for await (const text of itemsOf(await handlers.models_stream(generation, request))) {
      read.push(text);
      if (read.length === 3) break;
    }
    expect(read).toEqual(['more ', 'more ', 'more ']);
    expect(recorded).toMatchObject([{ call: { reason: expect.any(String) } }]);
  });

  it('is cancelled with its call', async () => {
    const reason = new ParleyError('cancelled', 'The user cancelled');
    const { handlers, recorded, request, stopping } = set([{ chunks: ['a', 'b', 'c'], delayMs: 20 }]);
    const reading = (async () => {
      for await (const _ of itemsOf(await handlers.models_stream(generation, request))) stopping.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
    expect(recorded).toMatchObject([{ call: { reason: 'cancelled' } }]);
  });

  it('may not call models that were not granted', async () => {
    const { handlers, model, embedded, request } = set([{}]);
    const denied = { reason: 'plugin_permission_denied' };
    const other = { ...generation, model: 'other' };
    await expect(handlers.models_generate(other, request)).rejects.toMatchObject(denied);
    await expect(handlers.models_stream(other, request)).rejects.toMatchObject(denied);
    const texts = { model: 'other', texts: ['a'], purpose: 'query' } as const;
    await expect(handlers.models_embed(texts, request)).rejects.toMatchObject(denied);
    expect([model.calls, embedded]).toEqual([[], []]);
  });

  it('lists the models that were granted and still exist', async () => {
    const { handlers, request } = set([]);
    expect((await handlers.models_list({}, request)).result).toEqual([
      { uuid: 'granted', name: 'Model granted', kind: 'llm' },
    ]);
  });

  it('embeds texts in its name, and in that of the message', async () => {
    const { handlers, embedded, request, forMessage } = set([]);
    const asked = { model: 'granted', texts: ['a', 'b'], purpose: 'document' } as const;
    expect((await handlers.models_embed(asked, request)).result).toEqual([
      [0.5, 1],
      [0.5, 1],
    ]);
    await handlers.models_embed(asked, forMessage);
    const common = { purpose: 'document', plugin_id: 'example/writer', signal: request.signal };
    const asked_by = { session_id: 'person_person_1', message_uuid: pluginMessage.uuid };
    expect(embedded).toEqual([
      ['granted', ['a', 'b'], common],
      ['granted', ['a', 'b'], { ...common, asked_by }],
    ]);
  });
});

describe('another key is tried', () => {
  it.each(['quota', 'provider_unauthorized'] as const)('after a refusal for %s', async (reason) => {
    const { handlers, recorded, reported, request } = set([refusal(reason), { chunks: ['Hello'] }]);
    expect((await handlers.models_generate(generation, request)).result.text).toBe('Hello');
    expect(reported).toEqual([reason, null]);
    expect(recorded.map(({ call }) => call.reason)).toEqual([reason, null]);
  });

  it('for each key once', async () => {
    const { handlers, model, request } = set([refusal('quota')], {}, 2);
    await expect(handlers.models_generate(generation, request)).rejects.toMatchObject({ reason: 'quota' });
    expect(model.calls).toHaveLength(2);
  });

  it('not after other failures', async () => {
    const { handlers, model, request } = set([refusal('provider_failed'), { chunks: ['Hello'] }]);
    await expect(handlers.models_generate(generation, request)).rejects.toMatchObject({ reason: 'provider_failed' });
    expect(model.calls).toHaveLength(1);
  });
});

it('works with a provider over HTTP, with a second key and a stream that breaks off', async () => {
  const fixture = await openEmbeddingFixture();
  onTestFinished(() => fixture.close());
  const { fake, services } = fixture;
  const model = await services.models.llm.create({
    name: 'writer',
    provider: { requester: 'openai-chat-completions', base_url: fake.base_url, api_keys: ['one', 'two'] },
  });
  fake.behave((index) =>
    index === 0 ? { kind: 'error', status: 401 } : { kind: 'answer', chunks: ['Hello ', 'there'] },
  );
  const { handlers, recorded, request } = set([], { openModel: (uuid) => services.opener.open(uuid) });
  const granted = { ...request.plugin, grants: { ...request.plugin.grants, models: [model] } };
  const asked = { ...generation, model };
  const answer = await handlers.models_generate(asked, { ...request, plugin: granted });
  expect(answer.result).toMatchObject({ text: 'Hello there', output_tokens: expect.any(Number) });
  const keys = fake.requests.map(({ headers }) => headers.authorization);
  expect(new Set(keys)).toEqual(new Set(['Bearer one', 'Bearer two']));
  expect(recorded.map(({ call }) => call.reason)).toEqual(['provider_unauthorized', null]);

  fake.behave({ kind: 'cut', chunks: ['Half'] });
  const stream = await handlers.models_stream(asked, { ...request, plugin: granted });
  await expect(collected(itemsOf(stream))).rejects.toMatchObject({ reason: 'provider_failed' });
});
