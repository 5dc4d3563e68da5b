import type { PipelineMessage } from '@parley/sdk';
import type { HostAnswer, HostCalls } from '../../src/core/plugins/plugin-caller.ts';
import type { HostMethod, PluginMethods } from '../../src/core/plugins/plugin-protocol.ts';

/** A message that a plugin is called for. */
export const pluginMessage: PipelineMessage = {
  uuid: '0190a000-0000-7000-8000-000000000001',
  bot_uuid: '0190a000-0000-7000-8000-000000000002',
  pipeline_uuid: '0190a000-0000-7000-8000-000000000003',
  conversation_uuid: '0190a000-0000-7000-8000-000000000004',
  session_type: 'person',
  session_id: 'person_1',
  thread_id: '',
  sequence: 1,
  platform_message_id: '1',
  sender_id: '1',
  sender_name: 'Ada',
  facts: {} as PipelineMessage['facts'],
  message_chain: [{ type: 'File', name: 'a.txt', url: 'parley://file' } as never],
  created_at: '2026-01-01T00:00:00.000Z',
};

async function* each<Item>(...items: Item[]): AsyncGenerator<Item> {
  yield* items;
}

const text = (words: string) => new TextEncoder().encode(words);

/** Answers of a server to all that a plugin may ask. */
const answers: Record<HostMethod, (parameters: Record<string, unknown>) => HostAnswer> = {
  settings: () => ({ result: { key: 'secret' } }),
  fetch: ({ body }) => ({
    result: {
      status: 201,
      status_text: 'Created',
      headers: [['x-example', 'yes']],
      url: 'https://api.example.com/moved',
    },
    bytes: each(text('received '), Buffer.from(String(body), 'base64')),
  }),
  storage_get: ({ key }) => ({ result: key === 'key' ? { value: { deep: [1] } } : {} }),
  storage_set: () => ({ result: null }),
  storage_delete: () => ({ result: null }),
  storage_keys: ({ prefix }) => ({ result: [String(prefix)] }),
  storage_add: ({ amount }) => ({ result: Number(amount) + 1 }),
  reply: () => ({ result: null }),
  send: () => ({ result: null }),
  models_list: () => ({ result: [{ uuid: 'm', name: 'Model', kind: 'llm' }] }),
  models_generate: () => ({ result: { text: 'generated', input_tokens: 1, output_tokens: 2 } }),
  models_stream: () => ({
    result: { text: '', input_tokens: 1, output_tokens: 2 },
    items: each({ text: 'one' }, { text: 'two' }),
  }),
  models_embed: () => ({ result: [[1, 2]] }),
  knowledge_search: () => ({ result: [] }),
  files_read: () => ({ result: null, bytes: each(text('content')) }),
  conversation_read: () => ({ result: [] }),
  conversation_reset: () => ({ result: null }),
};

export interface RecordedHost extends HostCalls {
  calls: { method: string; parameters: unknown }[];
  notified: { name: string; parameters: unknown }[];
}

/** What a server does for a plugin, and what it was asked for. */
export function recordedHost(): RecordedHost {
  const calls: RecordedHost['calls'] = [];
  const notified: RecordedHost['notified'] = [];
  return {
    calls,
    notified,
    answer: async (method, parameters) => {
      calls.push({ method, parameters });
      return answers[method](parameters as Record<string, unknown>);
    },
    notify: (name, parameters) => void notified.push({ name, parameters }),
  };
}

export function startParameters(
  contributes: PluginMethods['start']['parameters']['contributes'],
): PluginMethods['start']['parameters'] {
  return { protocol: 1, id: 'example/all', version: '1.0.0', sdk: '0.1.0', contributes };
}
