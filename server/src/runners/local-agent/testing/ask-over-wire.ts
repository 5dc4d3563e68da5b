import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ModelConnection, ModelRequester, OpenedModel, RunnerDelta } from '@parley/sdk';
import { knowledgePassage, openedModel } from '@parley/sdk/testing';
import { dialectNameOf, dialects } from '../../../../test/fakes/model-server/index.ts';
import { wireFaults, wireWriters } from '../../../../test/fakes/model-wire.ts';
import { modelRequesters } from '../../../providers/index.ts';
import { askAgent } from './ask-agent.ts';
import { finding } from './knowledge-questions.ts';
import { type WireConversation, type WireTurn, wireMedia, wireTools } from './wire-conversations.ts';

/** One requester of each wire protocol that the providers speak. */
export const wireProtocols = [
  'openai-chat-completions',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'azure-openai',
  'amazon-bedrock',
  'ollama-chat',
] as const;
export type WireProtocol = (typeof wireProtocols)[number];

/** A request as a provider receives it. */
export interface WireRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What a conversation is to its providers and to its user. */
export interface WireRecord {
  requests: WireRequest[];
  /** The deltas without durations, and the error. */
  outcome: unknown[];
}

/**
 * Runs a conversation with a model of one protocol, and with one of the next protocol as its fallback.
 * @param cut how the bytes of responses arrive
 */
export async function askOverWire(
  conversation: WireConversation,
  protocol: WireProtocol,
  cut = (chunks: Uint8Array[]) => chunks,
): Promise<WireRecord> {
  const { request, config, abilities, extraArguments, hasTools, turns } = conversation;
  const requests: WireRequest[] = [];
  const left = [...turns];
  const next = wireProtocols[(wireProtocols.indexOf(protocol) + 1) % wireProtocols.length] as WireProtocol;
  const opened = new Map<string, Promise<OpenedModel>>();
  for (const [index, name] of [protocol, next].entries()) {
    const requester = modelRequesters.find((candidate) => candidate.name === name) as ModelRequester;
    const uuid = index === 0 ? 'first' : 'second';
    const answering = (turn: WireTurn) => responseOf(turn, name, cut);
    const connection: ModelConnection = {
      model_name: `model-of-${name}`,
      base_url: `http://service.test${dialects[dialectNameOf(name)].basePath}`,
      api_key: 'key-of-a-test',
      extra_args: extraArguments,
      fetch: async (input, init) => {
        requests.push(recorded(input, init));
        return answering(left.shift() ?? { status: 500 });
      },
    };
    const model = Promise.resolve(requester.languageModel?.(connection));
    opened.set(
      uuid,
      model.then((language) =>
        openedModel(uuid, language as OpenedModel['model'], { abilities: abilities[index] ?? [] }),
      ),
    );
  }
  const { deltas, error } = await askAgent({
    ...request,
    config: { ...config, model: { primary: 'first', fallbacks: ['second'] } },
    context: {
      openModel: (uuid) => opened.get(uuid) as Promise<OpenedModel>,
      tools: hasTools ? wireTools : [],
      media: wireMedia,
      retrieve: finding(knowledgePassage('We open at nine.'), knowledgePassage('We close at five.', { source: null })),
    },
  });
  return { requests, outcome: [...deltas.map(withoutTimes), ...(error === undefined ? [] : [explained(error)])] };
}

/** A short SHA-256 of a value as JSON, without what is random in it. */
export function wireDigest(value: unknown): string {
  return createHash('sha256')
    .update(withoutRandom(JSON.stringify(value)))
    .digest('hex')
    .slice(0, 16);
}

function recorded(input: Parameters<typeof fetch>[0], init: RequestInit = {}): WireRequest {
  const headers = [...new Headers(init.headers)].map(([name, value]) => [
    name,
    // Versions of packages and of Node are not part of the protocol.
    name === 'user-agent' ? value.replace(/\d+(\.\d+)*/g, '*') : value,
  ]);
  return {
    method: init.method ?? 'GET',
    url: String(input),
    headers: Object.fromEntries(headers),
    body: withoutRandom(String(init.body)),
  };
}

function responseOf(turn: WireTurn, protocol: WireProtocol, cut: (chunks: Uint8Array[]) => Uint8Array[]): Response {
  const dialect = dialects[dialectNameOf(protocol)];
  if ('status' in turn) return Response.json(dialect.error(turn.status, 'The fake refuses'), { status: turn.status });
  const name = dialectNameOf(protocol);
  const chunks = wireWriters[name](turn.answer);
  const isBroken = turn.ending === 'breaks';
  const whole = turn.ending === 'ends' ? chunks : chunks.slice(0, -2);
  if (turn.ending === 'fails') whole.push(wireFaults[name](turn.message));
  const sent = cut(whole);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = sent.shift();
      if (chunk !== undefined) return controller.enqueue(chunk);
      if (!isBroken) return controller.close();
      // An error overtakes what streams hold at that time, and how much that is depends on how many they are.
      await setImmediate();
      controller.error(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    },
  });
  return new Response(body, { headers: { 'content-type': dialect.streamType } });
}

/** The marks around passages, and ids of calls where the protocol has none. */
function withoutRandom(text: string): string {
  return text
    .replace(/(knowledge|passage)-[0-9a-f]{10}/g, '$1-mark')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'uuid');
}

/** Without what is no part of the answer: times, and the details of failures. */
function withoutTimes(delta: RunnerDelta): unknown {
  if (delta.type === 'retrieval')
    return { ...delta, retrieval: { ...delta.retrieval, started_at: '', milliseconds: 0 } };
  if (delta.type !== 'model_call') return delta;
  const { first_piece_milliseconds: first, failure: _, ...call } = delta.call;
  return { ...delta, call: { ...call, started_at: '', milliseconds: 0, first_piece: first !== null } };
}

function explained(error: unknown): unknown {
  const { name, reason, message } = error as { name?: string; reason?: string; message?: string };
  return { name, reason, message };
}
