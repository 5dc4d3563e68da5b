import type { Plugin, PluginContributions } from '@parley/sdk';

/*
 * A module that uses every part of what a plugin may have, and what its manifest declares. Its tool `use_host` calls
 * everything that the server does for a plugin.
 */

const label = { en_US: 'Example' };
const settings = { type: 'object' as const, properties: { top_k: { type: 'integer' as const, default: 5 } } };

export const everyContribution: PluginContributions = {
  tools: [
    { name: 'shout', description: 'Shouts.', parameters: { type: 'object' } },
    { name: 'use_host', description: 'Uses all of the host.', parameters: { type: 'object' } },
    { name: 'fail', description: 'Throws what its parameters say.', parameters: { type: 'object' } },
    { name: 'wait', description: 'Waits until it is cancelled.', parameters: { type: 'object' } },
    { name: 'outlive', description: 'Uses the host after it has returned.', parameters: { type: 'object' } },
  ],
  commands: [{ name: 'greet', description: 'Greets.' }],
  listeners: [{ point: 'received' }, { point: 'sent' }],
  parsers: [{ label, description: label, media_types: ['text/lines'], extensions: ['lines'] }],
  engines: [
    {
      label,
      description: label,
      capabilities: ['doc_ingestion'],
      creation_schema: settings,
      retrieval_schema: settings,
    },
  ],
  runners: [{ name: 'echo', label }],
  pages: [{ name: 'panel', label, path: 'pages/index.html' }],
  schedules: [{ name: 'nightly', label, cron: '0 3 * * *' }],
};

/** @param seen gets what the handlers without a result were called with */
export function pluginModule(seen: (what: string, value: unknown) => void = () => undefined): Plugin {
  const documents = new Map<string, string>();
  return {
    start: async ({ host }) => seen('start', await host.settings()),
    tools: {
      shout: ({ text }, { message, attempt, progress }) => {
        progress();
        return `${String(text).toUpperCase()} ${message.sender_name} ${attempt}`;
      },
      use_host: async ({ content }, { host, message }) => {
        const response = await host.fetch('https://api.example.com/', { method: 'POST', body: String(content) });
        await host.storage.set('key', { deep: [1] });
        const streamed: string[] = [];
        for await (const part of host.models.stream({ model: 'm', messages: [] })) streamed.push(part);
        const files: string[] = [];
        const [element] = message.message_chain;
        if (element !== undefined) {
          for await (const part of host.files.read(element)) files.push(new TextDecoder().decode(part));
        }
        await host.storage.delete('other');
        await host.reply('first');
        await host.send({ bot_uuid: 'b', session_type: 'person', target_id: 't' }, [{ type: 'Plain', text: 'sent' }]);
        await host.conversation.reset();
        host.log('warn', 'a line');
        const used = {
          settings: await host.settings(),
          fetch: {
            status: response.status,
            url: response.url,
            redirected: response.redirected,
            header: response.headers.get('x-example'),
            text: await response.text(),
          },
          stored: await host.storage.get('key'),
          absent: (await host.storage.get('absent')) === undefined,
          keys: await host.storage.keys('k'),
          sum: await host.storage.add('count', 2),
          models: await host.models.list(),
          generated: await host.models.generate({ model: 'm', messages: [] }),
          streamed,
          vectors: await host.models.embed('m', ['text'], { purpose: 'query' }),
          passages: await host.knowledge.search('question'),
          files,
          turns: await host.conversation.read(3),
        };
        return { text: JSON.stringify(used) };
      },
      fail: ({ reason, message }) => {
        if (reason === undefined) throw new Error(String(message));
        throw Object.assign(new Error(String(message)), { reason });
      },
      wait: async (_, { signal }) => {
        seen('waiting', null);
        const aborted = Promise.withResolvers<void>();
        signal.addEventListener('abort', () => aborted.resolve());
        await aborted.promise;
        seen('aborted', String(signal.reason));
        throw signal.reason;
      },
      outlive: (_, { host, signal }) => {
        setTimeout(() => host.settings().then(seen.bind(null, 'outlived'), seen.bind(null, 'refused')), 5);
        return String(signal.aborted);
      },
    },
    commands: { greet: ({ parameters, privilege, prefix }) => `${prefix}${parameters.join(' ')} ${privilege}` },
    listeners: {
      received: ({ message_chain }) => ({ action: 'answer', message_chain }),
      sent: (event) => seen('sent', event),
    },
    parser: ({ name, bytes }, { progress, limits }) => {
      progress(1, 2);
      const lines = new TextDecoder().decode(bytes).split('\n').slice(0, limits.pages);
      const blocks = lines.map((text) => ({ type: 'paragraph' as const, text }));
      return { title: name, blocks, page_kind: null, pages: [], warnings: [] };
    },
    engine: {
      open: ({ collection_id }) => seen('open', collection_id),
      drop: ({ collection_id }) => seen('drop', collection_id),
      ingest: async ({ document, content, progress }) => {
        const parts: Uint8Array[] = [];
        for await (const part of content) parts.push(part);
        progress('embedding', 1, 1);
        documents.set(document.document_id, Buffer.concat(parts).toString());
        return { chunks: parts.length };
      },
      remove: (_, documentId) => void documents.delete(documentId),
      retrieve: ({ query, settings }) =>
        [...documents]
          .filter(([, text]) => text.includes(query))
          .slice(0, settings.top_k)
          .map(([id, text]) => ({ id, text, distance: 0, score: null, source: null, legs: {}, metadata: {} })),
    },
    runners: {
      echo: async function* ({ text }, { host }) {
        yield { type: 'reasoning', text: 'thinking' };
        // The host can be used as long as the answer is streamed.
        await host.settings();
        for (const part of text) yield { type: 'text', text: part };
        if (text === 'broken') throw Object.assign(new Error('no more'), { reason: 'provider_failed' });
      },
    },
    pages: { panel: ({ endpoint, method, body }) => ({ endpoint, method, body }) },
    schedules: { nightly: ({ due_at }) => seen('schedule', due_at) },
  };
}
