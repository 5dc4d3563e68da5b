import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type IndexedDocument,
  type KnowledgeEngine,
  type MessageChain,
  ParleyError,
  type ParsedDocument,
  type PluginEvents,
  type PluginPoint,
  type PluginSamples,
  textOfChain,
} from '@parley/sdk';
import { Check, Errors } from 'typebox/value';
import { hostFor } from '../core/plugins/contributions/plugin-calls.ts';
import { commandsOf } from '../core/plugins/contributions/plugin-commands.ts';
import { enginesOf } from '../core/plugins/contributions/plugin-engine.ts';
import { parsersOf } from '../core/plugins/contributions/plugin-parser.ts';
import { runnersOf } from '../core/plugins/contributions/plugin-runners.ts';
import { PluginToolSource } from '../core/plugins/contributions/plugin-tools.ts';
import { checkVerdict } from '../core/plugins/listeners/verdicts.ts';
import { checkedDocument } from '../parser-host/checked-document.ts';
import { defaultLimits } from '../parser-host/parser-host.ts';
import type { TrialHost } from './trial-host.ts';

/** Samples of any plugin. */
export interface AnySamples extends Omit<PluginSamples, 'tools' | 'commands' | 'settings'> {
  settings?: Record<string, unknown>;
  tools?: Record<string, readonly { parameters: Record<string, unknown>; answer?: string }[]>;
  commands?: Record<string, readonly { parameters: readonly string[]; answer?: string }[]>;
}

/** A check that is still to be made. */
export interface PluginCheck {
  name: string;
  /** @returns a remark; throws what is wrong */
  run(): Promise<string>;
  /** Why it cannot be made; absent if it can. */
  missing?: string;
}

/** Messages that every listener and runner has to bear. */
const anyMessages = ['Hello', '', '👋 ≤ "quoted" <b>&amp;</b>\n\n```js\n1\n```', 'word '.repeat(2000)];
const never = new AbortController().signal;
/** What an engine or runner in the service is given besides; those of plugins ask their host. */
const unused = {} as never;

/** The checks of what a plugin contributes, in the order in which they are made. */
export function* contributionChecks(host: TrialHost, samples: AnySamples, project: string): Generator<PluginCheck> {
  const { contributes } = host.plugin.manifest;
  yield* toolChecks(host, samples);
  yield* commandChecks(host, samples);
  const messages = [...anyMessages, ...(samples.messages ?? [])];
  for (const { point } of contributes.listeners ?? []) {
    yield { name: `listener ${point} returns what it may`, run: () => checkListener(host, point, messages) };
  }
  if (contributes.parsers !== undefined) yield* parserChecks(host, samples, project);
  if (contributes.engines !== undefined) yield* engineChecks(host, samples, project);
  for (const { name } of contributes.runners ?? []) {
    yield { name: `runner ${name} answers`, run: () => checkRunner(host, name, messages) };
  }
  for (const { name } of contributes.schedules ?? []) {
    yield { name: `schedule ${name} runs`, run: () => checkSchedule(host, name) };
  }
  yield* cancelChecks(host, samples);
}

function* toolChecks(host: TrialHost, samples: AnySamples): Generator<PluginCheck> {
  for (const { name, parameters: schema } of host.plugin.manifest.contributes.tools ?? []) {
    const given = samples.tools?.[name] ?? [];
    yield {
      name: `tool ${name} answers`,
      ...(given.length === 0 ? { missing: `samples.ts has no parameters for it: tools.${name}` } : {}),
      run: async () => {
        for (const { parameters, answer = '' } of given) {
          if (!Check(schema, parameters)) {
            const [fault] = Errors(schema, parameters);
            throw new Error(`a sample is not as its schema: ${fault?.instancePath} ${fault?.message}`);
          }
          const { text } = await callTool(host, name, parameters, never);
          requireAnswer(text, answer);
        }
        return samplesOf(given);
      },
    };
  }
}

function* commandChecks(host: TrialHost, samples: AnySamples): Generator<PluginCheck> {
  for (const { name } of host.plugin.manifest.contributes.commands ?? []) {
    const given = [{ parameters: [] }, ...(samples.commands?.[name] ?? [])];
    yield {
      name: `command ${name} answers`,
      run: async () => {
        for (const { parameters, answer = '' } of given as { parameters: readonly string[]; answer?: string }[]) {
          requireAnswer(textOfChain(await callCommand(host, name, parameters)), answer);
        }
        return samplesOf(given);
      },
    };
  }
}

async function checkListener(host: TrialHost, point: PluginPoint, messages: readonly string[]): Promise<string> {
  const verdicts: Record<string, number> = {};
  for (const text of messages) {
    const event = eventOf(point, text);
    const said = await callListener(host, point, event, text, never);
    const action = checkVerdict(point, said, event)?.action ?? 'pass';
    verdicts[action] = (verdicts[action] ?? 0) + 1;
  }
  return Object.entries(verdicts)
    .map(([action, count]) => `${action} ${count}`)
    .join(', ');
}

function* parserChecks(host: TrialHost, samples: AnySamples, project: string): Generator<PluginCheck> {
  const files = samples.files ?? [];
  yield {
    name: 'parser reads files',
    ...(files.length === 0 ? { missing: 'samples.ts names no files' } : {}),
    run: async () => {
      let blocks = 0;
      for (const path of files) blocks += (await parse(host, await readFile(join(project, path)), path)).blocks.length;
      return `${samplesOf(files)}, ${blocks} blocks`;
    },
  };
  yield {
    name: 'parser bears broken files',
    run: async () => {
      for (const bytes of [Buffer.alloc(0), Buffer.from([0xff, 0xfe, 0, 0x80, 0xc3]), Buffer.alloc(100_000, 'a\n')]) {
        await parse(host, bytes, 'broken').catch((error: unknown) => {
          // It may refuse them; its process has to go on.
          if (isCrash(error)) throw error;
        });
      }
      return '';
    },
  };
}

async function parse(host: TrialHost, bytes: Uint8Array, path: string): Promise<ParsedDocument> {
  const [parser] = parsersOf(host.plugin, host.calls);
  const [media_type = ''] = parser?.media_types ?? [];
  const file = { name: basename(path), extension: extname(path).slice(1).toLowerCase(), media_type, bytes };
  const result = await parser?.parse(file, { ...defaultLimits, progress: () => undefined, signal: never });
  return checkedDocument(result, defaultLimits);
}

function* engineChecks(host: TrialHost, samples: AnySamples, project: string): Generator<PluginCheck> {
  const [engine] = enginesOf(host.plugin, host.calls);
  if (engine === undefined) return;
  const [declared] = host.plugin.manifest.contributes.engines ?? [];
  const defaultsOf = (schema: { properties: Record<string, { default: unknown }> } | undefined) =>
    Object.fromEntries(Object.entries(schema?.properties ?? {}).map(([name, field]) => [name, field.default]));
  const collection = {
    collection_id: '00000000-0000-7000-8000-00000000000a',
    knowledge_base_uuid: '00000000-0000-7000-8000-00000000000b',
    settings: defaultsOf(declared?.creation_schema),
  };
  const settings = { top_k: 5, ...defaultsOf(declared?.retrieval_schema) };
  const search = (query: string) =>
    engine.retrieve({ collection, query, settings, filters: [], signal: never }, unused);
  const queries = samples.queries ?? [];
  yield {
    name: 'engine opens a collection',
    run: async () => {
      await engine.open(collection, unused);
      // As after a restart of the server.
      await engine.open(collection, unused);
      return '';
    },
  };
  if (engine.ingest !== undefined) {
    yield {
      name: 'engine takes documents',
      ...(samples.documents === undefined && samples.files === undefined
        ? { missing: 'samples.ts has no documents' }
        : {}),
      run: () => ingestSamples(engine, collection, samples, project),
    };
  }
  yield {
    name: 'engine finds passages',
    ...(queries.length === 0 ? { missing: 'samples.ts has no queries' } : {}),
    run: async () => {
      for (const { query, passage } of queries) {
        const found = await search(query);
        if (!found.some(({ text }) => text.includes(passage))) throw new Error(`"${query}" does not find "${passage}"`);
      }
      return samplesOf(queries);
    },
  };
  yield {
    name: 'engine removes documents and the collection',
    run: async () => {
      for (const [index] of (samples.documents ?? samples.files ?? []).entries()) {
        await engine.remove?.(collection, documentOf(index, '').document_id, unused);
      }
      for (const { query, passage } of engine.remove === undefined ? [] : queries) {
        const left = (await search(query)).find(({ text }) => text.includes(passage));
        if (left !== undefined) throw new Error(`"${query}" finds a document that was removed`);
      }
      await engine.drop(collection, unused);
      return '';
    },
  };
}

async function ingestSamples(
  engine: KnowledgeEngine,
  collection: Parameters<KnowledgeEngine['open']>[0],
  { documents, files = [] }: AnySamples,
  project: string,
): Promise<string> {
  let chunks = 0;
  const given = documents ?? (await Promise.all(files.map((path) => readFile(join(project, path), 'utf8'))));
  for (const [index, text] of given.entries()) {
    const document = documentOf(index, files[index] ?? 'document.txt');
    const blocks = text.split('\n\n').map((paragraph) => ({ type: 'paragraph' as const, text: paragraph }));
    const parsed = engine.capabilities.includes('doc_parsing')
      ? null
      : { title: null, blocks, page_kind: null, pages: [], warnings: [] };
    const content = async function* () {
      yield Buffer.from(text);
    };
    const request = { collection, document, parsed, content, progress: () => undefined, signal: never };
    // A document that is taken again is replaced.
    await engine.ingest?.(request, unused);
    chunks += (await engine.ingest?.(request, unused))?.chunks ?? 0;
  }
  return `${samplesOf(given)}, ${chunks} chunks`;
}

function documentOf(index: number, path: string): IndexedDocument {
  const id = `00000000-0000-7000-8000-0000000001${String(index).padStart(2, '0')}`;
  return {
    document_id: id,
    file_id: id,
    file_name: basename(path),
    extension: extname(path).slice(1),
    media_type: 'text/plain',
    created_at: '2026-01-01T00:00:00.000Z',
    title: null,
    metadata: {},
  };
}

async function checkRunner(host: TrialHost, name: string, messages: readonly string[]): Promise<string> {
  const runner = runnersOf(host.plugin, host.calls).find((each) => each.name === name);
  const declared = host.plugin.manifest.contributes.runners?.find((each) => each.name === name);
  const fields = Object.entries(declared?.config?.properties ?? {});
  const config = Object.fromEntries(fields.map(([field, { default: value }]) => [field, value]));
  let parts = 0;
  for (const text of messages) {
    const message = host.message(text);
    const request = {
      config,
      message,
      prompt: [],
      history: [],
      text,
      knowledge_bases: [],
      variables: {},
      signal: never,
    };
    for await (const _ of runner?.answer({ ...request, message_chain: message.message_chain }, unused) ?? [])
      parts += 1;
  }
  if (parts === 0) throw new Error('it gave no part of an answer to any message');
  return `${messages.length} messages, ${parts} parts`;
}

async function checkSchedule(host: TrialHost, name: string): Promise<string> {
  const { plugin, calls, pool } = host;
  const parameters = { name, due_at: new Date().toISOString() };
  const about = { plugin: plugin.id, timeoutMs: 60_000, signal: never, host: hostFor(calls, plugin.id, null) };
  await pool.call({ ...about, method: 'schedule', parameters });
  return '';
}

function* cancelChecks(host: TrialHost, samples: AnySamples): Generator<PluginCheck> {
  const { tools = [], listeners = [] } = host.plugin.manifest.contributes;
  const [tool] = tools.filter(({ name }) => samples.tools?.[name] !== undefined);
  const parameters = samples.tools?.[tool?.name ?? '']?.[0]?.parameters ?? {};
  const [listener] = listeners;
  const call = (signal: AbortSignal): Promise<unknown> | null => {
    if (tool !== undefined) return callTool(host, tool.name, parameters, signal);
    if (listener === undefined) return null;
    return callListener(host, listener.point, eventOf(listener.point, 'Hello'), 'Hello', signal);
  };
  if (tool === undefined && listener === undefined) return;
  yield { name: 'goes on after calls were cancelled', run: () => checkCancel(call) };
}

async function checkCancel(call: (signal: AbortSignal) => Promise<unknown> | null): Promise<string> {
  let cancelled = 0;
  for (const milliseconds of [0, 1, 5, 20]) {
    const controller = new AbortController();
    const ended = Promise.resolve(call(controller.signal)).then(
      () => null,
      (error: unknown) => error,
    );
    await sleep(milliseconds);
    controller.abort(new ParleyError('cancelled', 'The call is cancelled'));
    const error = await ended;
    if (isCrash(error)) throw error;
    if (error !== null) cancelled += 1;
  }
  await call(never);
  return `${cancelled} of 4 calls were cancelled`;
}

function callTool(host: TrialHost, name: string, parameters: Record<string, unknown>, signal: AbortSignal) {
  const source = new PluginToolSource(host.calls);
  return source.tools().then((tools) => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return tool.call(parameters, { message: host.message('Hello'), signal, progress: () => undefined });
  });
}

async function callCommand(host: TrialHost, name: string, parameters: readonly string[]): Promise<MessageChain> {
  const command = commandsOf(host.plugin, host.calls).find((each) => each.name === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  const message = host.message(`!${name} ${parameters.join(' ')}`);
  const answer = await command.run({
    parameters,
    message,
    pipeline: { name: 'Trial' },
    conversation: unused,
    privilege: 2,
    decidesForAll: true,
    prefix: '!',
    commands: [],
  });
  return typeof answer === 'string' ? [{ type: 'Plain', text: answer }] : answer;
}

function callListener<Point extends PluginPoint>(
  { plugin, calls, pool, message }: TrialHost,
  point: Point,
  event: PluginEvents[Point],
  text: string,
  signal: AbortSignal,
): Promise<unknown> {
  const asked = message(text);
  const seconds = plugin.manifest.limits?.listener_seconds ?? 3;
  return pool.call({
    plugin: plugin.id,
    method: 'listener',
    // The event is that of the point.
    parameters: { message: asked, attempt: 1, point, event } as never,
    timeoutMs: seconds * 1000,
    signal,
    host: calls.host.during(plugin, calls.scopeOf(asked.uuid, plugin.id, point)),
  });
}

function eventOf<Point extends PluginPoint>(point: Point, text: string): PluginEvents[Point] {
  const message_chain: MessageChain = [{ type: 'Plain', text }];
  const [name = '', ...parameters] = text.split(' ');
  const events: PluginEvents = {
    received: { message_chain },
    command: { name: name.slice(0, 40) || 'help', parameters },
    prompt: {
      prompt: [{ role: 'system', content: 'You are a helpful assistant.' }],
      history: [{ role: 'user', text, message_chain }],
      knowledge_bases: [],
      tools: [],
    },
    question: { message_chain },
    answer: { message_chain },
    sent: { message_chain },
  };
  return events[point];
}

function requireAnswer(text: string, answer: string): void {
  if (!text.includes(answer))
    throw new Error(`the answer ${JSON.stringify(text.slice(0, 200))} is without "${answer}"`);
}

function isCrash(error: unknown): boolean {
  return (
    error instanceof ParleyError && ['plugin_crashed', 'plugin_timeout', 'plugin_not_running'].includes(error.reason)
  );
}

function samplesOf({ length }: readonly unknown[]): string {
  return length === 1 ? '1 sample' : `${length} samples`;
}
