import { Buffer } from 'node:buffer';
import type { MessageChain, PluginFetchInit, PluginHost } from '@parley/sdk';
import { ParleyError } from '@parley/sdk/errors';
import type { HostMethods } from '../../core/plugins/plugin-protocol.ts';
import type { CallScope } from './call-scope.ts';

/** Longest body of a request, bytes. */
const longestBody = 8 << 20;
/** Longest line of a log, characters; the server cuts what is longer. */
const longestLine = 10_000;

/** What the server does for the module during one call. */
export function moduleHost(scope: CallScope): PluginHost {
  const open: CallScope['open'] = (...parameters) => scope.open(...parameters);
  return {
    settings: () => scope.ask('settings', {}),
    log: (level, text) => scope.log(level, String(text).slice(0, longestLine)),
    fetch: (url, init) => fetchByServer(scope, url, init),
    storage: {
      get: async (key) => (await scope.ask('storage_get', { key })).value,
      set: async (key, value) => void (await scope.ask('storage_set', { key, value })),
      delete: async (key) => void (await scope.ask('storage_delete', { key })),
      keys: (prefix = '', after = '') => scope.ask('storage_keys', { prefix, after }),
      add: (key, amount) => scope.ask('storage_add', { key, amount }),
    },
    reply: async (message) => void (await scope.ask('reply', { message_chain: chainOf(message) })),
    send: async (target, message) => void (await scope.ask('send', { target, message_chain: chainOf(message) })),
    models: {
      list: () => scope.ask('models_list', {}),
      generate: (request, options) => scope.ask('models_generate', request, options?.signal),
      stream: async function* (request, options) {
        const { items, result } = open('models_stream', request, options?.signal);
        for await (const item of items) yield (item as HostMethods['models_stream']['items']).text;
        await result;
      },
      embed: (model, texts, { purpose = 'document', signal } = {}) =>
        scope.ask('models_embed', { model, texts, purpose }, signal),
    },
    knowledge: { search: (query, bases) => scope.ask('knowledge_search', { query, bases: bases ?? null }) },
    files: {
      read: async function* (element) {
        yield* open('files_read', { element }).bytes;
      },
    },
    conversation: {
      read: (rounds) => scope.ask('conversation_read', { rounds }),
      reset: async () => void (await scope.ask('conversation_reset', {})),
    },
  };
}

/** A text as a message. */
export function chainOf(message: MessageChain | string): MessageChain {
  return typeof message === 'string' ? [{ type: 'Plain', text: message }] : message;
}

async function fetchByServer(scope: CallScope, url: string, init: PluginFetchInit = {}): Promise<Response> {
  const { method = 'GET', headers = {}, redirect = 'follow', signal } = init;
  const body = typeof init.body === 'string' ? Buffer.from(init.body) : init.body;
  if (body !== undefined && body.length > longestBody) {
    throw new ParleyError('too_large', `The body of a request has at most ${longestBody >> 20} MB.`);
  }
  const sent = body === undefined ? undefined : once(body);
  const request = scope.open('fetch', { url: String(url), method, headers, body: null, redirect }, signal, sent);
  // The server sends what its types say.
  const response = (await request.result) as HostMethods['fetch']['result'];
  return responseOf(response, request.bytes, String(url));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const withoutBody = new Set([101, 103, 204, 205, 304]);

/** A response as `fetch` gives it, with a body that is read as it comes. */
function responseOf(
  { status, status_text, headers, url }: HostMethods['fetch']['result'],
  bytes: AsyncIterable<Uint8Array>,
  requested: string,
): Response {
  const body = withoutBody.has(status) ? null : streamOf(bytes);
  const response = new Response(body, { status, statusText: status_text, headers });
  // Responses that a program makes have neither.
  Object.defineProperties(response, { url: { value: url }, redirected: { value: url !== requested } });
  return response;
}

function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = bytes[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        // Frames are never in shared memory.
        else controller.enqueue(next.value as Uint8Array<ArrayBuffer>);
      },
      cancel: async () => void (await iterator.return?.()),
    },
    // Nothing is read ahead here: the connection does that.
    { highWaterMark: 0 },
  );
}
