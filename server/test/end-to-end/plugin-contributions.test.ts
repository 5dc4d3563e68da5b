import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginManifest, PluginPoint } from '@parley/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createService } from '../../src/service.ts';
import { type AgentWithServers, startAgentWithServers } from '../factories/agent-with-servers.ts';
import { KnowledgeClient } from '../factories/knowledge-client.ts';
import { pluginClient } from '../factories/plugin-client.ts';
import { packageOf } from '../factories/plugin-package.ts';
import { pluginProcessesOf } from '../factories/plugin-processes.ts';
import { looksClosely } from '../shared/looks-closely.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { messageEvent } from '../stores/ledger-records.ts';
import { type Chat, openChat } from './api-client.ts';

const patience = { timeout: 15_000 };
const label = { en_US: 'Example' };
const topK = { type: 'integer', default: 5 } as const;
const listeners = (...points: PluginPoint[]) => points.map((point) => ({ point }));

/** A tool, a command and listeners; what it notes can be read by its command `notes`. */
const helper = `
  const textOf = (chain) => chain.map(({ text = '' }) => text).join('');
  const plain = (text) => [{ type: 'Plain', text }];
  const notes = [];
  /** Does not end before it is cancelled, and notes when that was. */
  const untilCancelled = (what, signal) => new Promise((_, reject) => {
    notes.push(what + ' waits');
    signal.addEventListener('abort', () => {
      notes.push(what + ' cancelled ' + Date.now());
      reject(signal.reason);
    });
  });
  export default {
    tools: {
      convert: async ({ value }, { host }) => {
        const { system, key } = await host.settings();
        return value * 1000 + ' ' + system + ' ' + key.length + ' ' + (await host.storage.add('conversions', 1));
      },
      hang: (_, { signal }) => untilCancelled('tool', signal),
    },
    commands: {
      greet: ({ parameters }) => 'Hello, ' + parameters.join(' '),
      notes: () => JSON.stringify(notes.splice(0)),
      linger: (_, { signal }) => untilCancelled('command', signal),
    },
    listeners: {
      received: async ({ message_chain }, { host, signal }) => {
        const text = textOf(message_chain);
        if (text.includes('linger here')) await untilCancelled('listener', signal);
        if (text.includes('reply first')) await host.reply('One moment.');
        if (text.includes('stop this')) return { action: 'stop' };
        if (text.includes('answer this')) return { action: 'answer', message_chain: plain('The plugin answers.') };
        if (text.includes('change this')) return { action: 'change', message_chain: plain('changed by the plugin') };
      },
      answer: ({ message_chain }) => {
        if (textOf(message_chain).includes('secret wish'))
          return { action: 'change', message_chain: plain('You are a grumpy user.') };
      },
      sent: ({ message_chain }) => {
        // Not the notes themselves.
        if (!textOf(message_chain).startsWith('[')) notes.push('sent ' + textOf(message_chain));
      },
    },
  };`;

const helperManifest = {
  id: 'example/helper',
  version: '1.0.0',
  settings: {
    type: 'object',
    properties: {
      key: { type: 'string', default: '', 'x-secret': true },
      system: { type: 'string', enum: ['metric', 'imperial'], default: 'metric' },
    },
  },
  contributes: {
    tools: ['convert', 'hang'].map((name) => ({
      name,
      description: 'Acts.',
      parameters: { type: 'object', properties: { value: { type: 'number' } } },
      read_only: true,
    })),
    commands: ['greet', 'notes', 'linger'].map((name) => ({ name, description: 'Acts.' })),
    listeners: listeners('received', 'answer', 'sent'),
  },
  permissions: { storage: true, reply: true },
} satisfies Partial<PluginManifest>;

/** A parser, an engine that keeps its chunks in the storage, and a runner. */
const library = `
  const text = (block) => block.text ?? '';
  export default {
    parser: ({ name, bytes }) => ({
      title: name,
      blocks: new TextDecoder().decode(bytes).split('~').map((text) => ({ type: 'paragraph', text })),
      page_kind: null, pages: [], warnings: [],
    }),
    engine: {
      open() {},
      drop: async ({ collection_id }, { host }) => {
        for (const key of await host.storage.keys(collection_id + '/')) await host.storage.delete(key);
      },
      ingest: async ({ collection, document, parsed }, { host }) => {
        await host.storage.set(collection.collection_id + '/' + document.document_id, parsed.blocks.map(text));
        return { chunks: parsed.blocks.length };
      },
      remove: async ({ collection_id }, id, { host }) => host.storage.delete(collection_id + '/' + id),
      retrieve: async ({ collection, query }, { host }) => {
        const found = [];
        for (const key of await host.storage.keys(collection.collection_id + '/')) {
          const chunks = await host.storage.get(key);
          chunks.forEach((chunk, index) => {
            if (!chunk.includes(query)) return;
            found.push({
              id: key + '/' + index, text: chunk, distance: 0, score: null, source: null, legs: {}, metadata: {},
            });
          });
        }
        return found;
      },
    },
    runners: {
      count: async function* ({ text, config }) {
        for (let number = 1; number <= 5; number += 1) {
          yield { type: 'text', text: number + ' ' };
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        yield { type: 'text', text: config.unit + ', ' + text };
      },
    },
  };`;

const libraryManifest = {
  id: 'example/library',
  version: '1.0.0',
  contributes: {
    parsers: [{ label, description: label, media_types: ['application/x-scroll'], extensions: ['scroll'] }],
    engines: [
      {
        label,
        description: label,
        capabilities: ['doc_ingestion'],
        creation_schema: { type: 'object', properties: {} },
        retrieval_schema: { type: 'object', properties: { top_k: topK } },
      },
    ],
    runners: [
      {
        name: 'count',
        label,
        config: { type: 'object', properties: { unit: { type: 'string', default: 'numbers' } } },
      },
    ],
  },
  permissions: { storage: true },
} satisfies Partial<PluginManifest>;

const isOfPlugin = ({ name }: { name: string }) => name === 'plugin';

describe.runIf(process.platform === 'linux')('an installed plugin', () => {
  let agent: AgentWithServers;
  let plugins: ReturnType<typeof pluginClient>;
  let users = 0;
  let user = '';

  beforeAll(async () => {
    await sharedResource('commandLine');
    agent = await startAgentWithServers();
    plugins = pluginClient(agent.service);
    await install(packageOf(helper, helperManifest));
    await install(packageOf(library, libraryManifest));
    await agent.send('PUT', '/plugins/example/helper/config', { key: 'k-0123456789', system: 'imperial' });
  }, 60_000);
  afterAll(() => agent.stop());
  beforeEach(() => {
    users += 1;
    user = `user-${users}`;
    agent.platform.sent.length = 0;
    agent.model.behave({ kind: 'answer', chunks: ['The model ', 'answers.'] });
  });

  /** Installs what was inspected, with consent to it. @returns the result of the task */
  const install = async (content: Buffer) => {
    const { digest } = await plugins.inspect(content);
    const { runtime } = await plugins.install(content, `?digest=${digest}&consent=true`);
    expect(runtime.exception).toBeNull();
    return runtime.result;
  };
  /** Sends a message of the user of the test. @returns its uuid */
  const write = async (text: string, from = user): Promise<string> => {
    const event = messageEvent(text, { session_id: from, sender_id: from });
    return (await agent.platform.adapters.at(-1)?.context.receive(event))?.uuid ?? '';
  };
  const sentTexts = () =>
    agent.platform.sent.map(({ message_chain }) =>
      message_chain.map((element) => (element.type === 'Plain' ? element.text : element.type)).join(''),
    );
  /** Sends a message and waits for its end. @returns its trace, and what was sent meanwhile */
  const ask = async (text: string, from = user) => {
    agent.platform.sent.length = 0;
    const explained = await agent.explained(await write(text, from));
    return { ...explained, steps: explained.steps.filter(isOfPlugin), sent: sentTexts() };
  };
  const nameOf = (id: string) => `/plugins/${id}`;
  const stateOf = async (id: string) => (await agent.send('GET', `${nameOf(id)}/state`)).process;
  const rowsOf = async (id: string) => {
    const { database } = agent.service;
    return {
      plugins: await database.selectFrom('plugins').select('id').where('id', '=', id).execute(),
      values: await database.selectFrom('plugin_values').select('key').where('plugin_id', '=', id).execute(),
      effects: await database.selectFrom('plugin_effects').select('kind').where('plugin_id', '=', id).execute(),
    };
  };
  const running = () => pluginProcessesOf(agent.service.config.dataDir).map(({ plugin }) => plugin);

  it('adds a tool that the model calls, with its settings and its storage', async () => {
    for (const count of [1, 2]) {
      agent.nextCall('convert', { value: 2 });
      const { tool_calls } = await ask('Convert 2 km');
      expect(tool_calls).toMatchObject([
        { tool_name: 'convert', state: 'succeeded', result: `2000 imperial 12 ${count}` },
      ]);
    }
    const { config } = await agent.send('GET', '/plugins/example/helper/config');
    expect(config).toEqual({ system: 'imperial', key: expect.not.stringContaining('k-0123456789') });
  });

  it('adds a command', async () => {
    expect((await ask('!greet Ada and Bob')).sent).toEqual(['Hello, Ada and Bob']);
    expect((await ask('!help')).sent[0]).toContain('greet');
  });

  it('listens, and what it did is in the trace', async () => {
    const changed = await ask('change this');
    expect(changed.sent).toEqual(['The model answers.']);
    expect(JSON.stringify(agent.model.requests.at(-1)?.body)).toContain('changed by the plugin');
    expect(changed.steps).toMatchObject([
      { outcome: 'changed', reason: 'changed_by_plugin', details: { plugin: 'example/helper', point: 'received' } },
      { outcome: 'passed', details: { plugin: 'example/helper', point: 'answer' } },
    ]);
    expect((await ask('reply first')).sent).toEqual(['One moment.', 'The model answers.']);
    expect((await ask('answer this')).sent).toEqual(['The plugin answers.']);
    const requests = agent.model.requests.length;
    const stopped = await ask('stop this');
    expect(stopped).toMatchObject({ sent: [], steps: [{ outcome: 'stopped', reason: 'stopped_by_plugin' }] });
    expect(agent.model.requests).toHaveLength(requests);
    const [notes = ''] = (await ask('!notes')).sent;
    expect(JSON.parse(notes)).toEqual(expect.arrayContaining(['sent The model answers.']));
  });

  it('writes no sensitive word past the content filter', async () => {
    await agent.send('PUT', '/safety/sensitive-words', { words: ['grumpy'] });
    agent.model.behave({ kind: 'answer', chunks: ['A secret wish.'] });
    const { sent, steps } = await ask('What do you say?');
    expect(steps).toContainEqual(expect.objectContaining({ outcome: 'changed' }));
    expect(sent).toEqual(['You are a ****** user.']);
    await agent.send('PUT', '/safety/sensitive-words', { words: [] });
  });

  it('parses and stores documents, which are found', async () => {
    const { key } = await agent.service.createApiKey();
    const client = new KnowledgeClient(agent.service, key);
    const { engines } = await client.ok('GET', '/api/v1/knowledge/engines');
    const { parsers } = await client.ok('GET', '/api/v1/knowledge/parsers');
    for (const list of [engines, parsers]) {
      expect(list).toContainEqual(expect.objectContaining({ plugin_id: 'example/library' }));
    }
    const base = await client.createBase({ knowledge_engine_plugin_id: 'example/library' });
    await client.attach(base, 'tale.scroll', 'Once upon a time~there was a lighthouse~on a rock');
    expect(await client.settled(base)).toMatchObject([{ file_name: 'tale.scroll', status: 'completed' }]);
    const { results } = await client.ok('POST', `${base}/retrieve`, { query: 'lighthouse' });
    expect(results).toMatchObject([{ content: [{ text: 'there was a lighthouse' }] }]);
    const removal = `${nameOf('example/library')}?delete_data=true`;
    expect((await agent.send('DELETE', removal, undefined, 409)).reason).toBe('in_use');
    await client.ok('DELETE', base);
    await expect.poll(async () => (await rowsOf('example/library')).values, patience).toEqual([]);
  });

  it('streams the answer of its runner', async () => {
    const config = { ai: { runner: { runner: 'count' }, count: { unit: 'steps' } } };
    const { uuid: pipeline } = await agent.send('POST', '/pipelines', { name: 'Counting', config });
    await agent.send('PUT', `/pipelines/${pipeline}/extensions`, {
      enable_all_plugins: false,
      bound_plugins: [{ author: 'example', name: 'library' }],
    });
    const chat = await connect(pipeline);
    chat.say('and you?');
    const { data } = await chat.answer();
    expect(data.content).toBe('1 2 3 4 5 steps, and you?');
    const partial = chat.frames.filter(({ type, data }) => type === 'response' && !data.is_final);
    expect(partial.length).toBeGreaterThan(1);
    await chat.close();
    expect((await agent.send('DELETE', nameOf('example/library'), undefined, 409)).reason).toBe('in_use');
    await agent.send('DELETE', `/pipelines/${pipeline}`);
  });

  const connect = async (pipeline: string): Promise<Chat> => {
    const { key } = await agent.service.createApiKey();
    return openChat(agent.service.address, { pipeline, headers: { authorization: `Bearer ${key}` } });
  };

  /** What waits in the plugin, and how a user makes it wait. */
  const waits: Record<string, () => Promise<string>> = {
    listener: () => write('linger here'),
    tool: () => {
      agent.nextCall('hang', {});
      return write('Go');
    },
    command: () => write('!linger'),
  };
  /** What the plugin has noted since it was last asked. */
  const notes = async (): Promise<string[]> => {
    const { sent } = await ask('!notes', 'noting');
    return JSON.parse(sent.find((text: string) => text.startsWith('[')) ?? '[]') as string[];
  };

  it('is cancelled by a command of the user, in a listener, a tool and a command', async () => {
    const delays: number[] = [];
    for (let round = 0; round < (looksClosely ? 10 : 2); round += 1) {
      for (const command of ['!cancel', '!reset']) {
        for (const [what, begin] of Object.entries(waits)) {
          users += 1;
          user = `user-${users}`;
          const uuid = await begin();
          await expect.poll(notes, { ...patience, interval: 20 }).toContain(`${what} waits`);
          const begun = Date.now();
          await write(command);
          const { message } = await agent.explained(uuid);
          expect(message.reason).toBe(command === '!cancel' ? 'cancelled' : 'reset');
          let cancelled: string | undefined;
          const find = async () => {
            cancelled = (await notes()).find((note) => note.startsWith(`${what} cancelled`));
            return cancelled;
          };
          await expect.poll(find, { ...patience, interval: 20 }).toBeDefined();
          delays.push(Number(cancelled?.split(' ').at(-1)) - begun);
        }
      }
    }
    delays.sort((one, other) => one - other);
    const p95 = delays[Math.ceil(delays.length * 0.95) - 1] ?? Number.POSITIVE_INFINITY;
    console.log(`${delays.length} calls of a plugin were cancelled, p95 ${p95} ms`);
    // 100 ms on a machine that does nothing else.
    expect(p95).toBeLessThan(500);
  });

  it('is cancelled by the button of the web chat', async () => {
    const chat = await connect(agent.pipeline);
    chat.say('linger here');
    await expect.poll(notes, patience).toContain('listener waits');
    chat.send({ type: 'stop' });
    await expect.poll(notes, patience).toContainEqual(expect.stringMatching(/^listener cancelled/));
    await chat.close();
  });

  it('whose process ends during the call of a listener lets the message pass, or stops it', async () => {
    const mortal = `export default { listeners: { received: ({ message_chain }) => {
      if (message_chain[0].text.includes('the end')) process.exit(7);
    } } };`;
    const id = 'example/mortal';
    await install(packageOf(mortal, { id, contributes: { listeners: listeners('received') } }));
    const failing = { outcome: 'failed', reason: 'plugin_crashed', details: { plugin: id, point: 'received' } };
    const passed = await ask('This is the end');
    expect(passed.sent).toEqual(['The model answers.']);
    expect(passed.steps).toContainEqual(
      expect.objectContaining({ ...failing, details: expect.objectContaining(failing.details) }),
    );
    await agent.send('PUT', `${nameOf(id)}/on-failure`, { on_failure: 'stop' });
    const stopped = await ask('This is the end');
    expect(stopped.sent).toEqual([]);
    expect(stopped.steps).toContainEqual(expect.objectContaining({ outcome: 'stopped', reason: 'plugin_crashed' }));
    expect(await stateOf(id)).toMatchObject({
      failures: 2,
      failure: { reason: 'plugin_crashed', message: expect.stringContaining('code 7') },
    });
    const { lines } = await agent.send('GET', `${nameOf(id)}/logs`);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', text: expect.stringContaining('code 7') }));
    await agent.send('DELETE', nameOf(id));
  });

  it('does nothing while it is disabled', async () => {
    await agent.send('PUT', '/plugins/example/helper/enabled', { enabled: false });
    await expect.poll(running, patience).not.toContain('example/helper');
    expect(await ask('stop this')).toMatchObject({ sent: ['The model answers.'], steps: [] });
    expect((await ask('!greet Ada')).sent).not.toEqual(['Hello, Ada']);
    await agent.send('PUT', '/plugins/example/helper/enabled', { enabled: true });
    expect((await ask('!greet Ada')).sent).toEqual(['Hello, Ada']);
  });

  it('is updated: more permissions wait for consent, and a version that crashes at its start is not taken', async () => {
    const next = helper.replace("'Hello, '", "'Good day, '");
    const permissions = { ...helperManifest.permissions, files: true } as const;
    const wanted = packageOf(next, { ...helperManifest, version: '1.1.0', permissions });
    expect((await plugins.install(wanted)).runtime.result).toMatchObject({ state: 'waiting' });
    expect((await ask('!greet Ada')).sent).toEqual(['Hello, Ada']);
    const { update } = await plugins.details('example/helper');
    await agent.send('POST', '/plugins/example/helper/consent', { digest: update.digest });
    expect((await ask('!greet Ada')).sent).toEqual(['Good day, Ada']);

    for (const fault of ['process.exit(4);', 'throw new Error("no");']) {
      const broken = packageOf(`${fault}\n${next}`, { ...helperManifest, version: '1.2.0', permissions });
      const { runtime } = await plugins.install(broken);
      expect(runtime.exception).toEqual(expect.any(String));
      expect((await plugins.details('example/helper')).installed.version).toBe('1.1.0');
      expect((await ask('!greet Ada')).sent).toEqual(['Good day, Ada']);
    }
    await agent.send('POST', '/plugins/example/helper/rollback');
    expect((await ask('!greet Ada')).sent).toEqual(['Hello, Ada']);
  });

  it('is removed with its data: no row, no file and no process remain', async () => {
    expect((await rowsOf('example/helper')).values).toEqual([{ key: 'conversions' }]);
    for (const id of ['example/helper', 'example/library']) {
      await agent.send('DELETE', `${nameOf(id)}?delete_data=true`);
      await expect.poll(() => rowsOf(id), patience).toEqual({ plugins: [], values: [], effects: [] });
      await expect.poll(() => existsSync(join(agent.service.config.dataDir, 'plugins', id)), patience).toBe(false);
    }
    await expect.poll(running, patience).toEqual([]);
    expect((await ask('stop this')).sent).toEqual(['The model answers.']);
  });

  it('is not started by a service without plugins', async () => {
    await install(packageOf(helper, helperManifest));
    expect((await ask('stop this')).sent).toEqual([]);
    await agent.service.service.stop();
    await expect.poll(running, patience).toEqual([]);
    const without = await createService(
      { ...agent.service.config, withoutPlugins: true },
      { platforms: [agent.platform.platform] },
    );
    await without.start();
    try {
      await expect.poll(() => agent.platform.up().length, patience).toBe(1);
      agent.platform.sent.length = 0;
      await agent.platform
        .up()
        .at(-1)
        ?.context.receive(messageEvent('stop this', { session_id: 'last' }));
      await expect.poll(sentTexts, patience).toEqual(['The model answers.']);
      expect(running()).toEqual([]);
    } finally {
      await without.stop();
    }
  });
});
