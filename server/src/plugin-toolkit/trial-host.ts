import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ParleyError, type PipelineMessage, textOfChain } from '@parley/sdk';
import type { ActivePlugin } from '../core/plugins/active-plugin.ts';
import type { PluginCalls } from '../core/plugins/contributions/plugin-calls.ts';
import { contentHandlers } from '../core/plugins/host/content-handlers.ts';
import { coreHandlers } from '../core/plugins/host/core-handlers.ts';
import { HostApi } from '../core/plugins/host/host-api.ts';
import type { HostHandlers, PluginMessageScope } from '../core/plugins/host/plugin-host-api.ts';
import { programOf } from '../core/plugins/plugin-program.ts';
import { completeSettings, settingsSchema } from '../core/plugins/plugin-settings.ts';
import { createFetchForRecord } from '../kit/fetch-for-record.ts';
import { newUuid } from '../lib/uuid.ts';
import { hostFetch } from '../plugin-host/host/host-fetch.ts';
import { openPackage } from '../plugin-host/package/open-package.ts';
import { launchPlugin } from '../plugin-host/supervision/launch-plugin.ts';
import { PluginProcessPool } from '../plugin-host/supervision/plugin-process-pool.ts';
import { MemoryStorage } from './memory-storage.ts';
import type { PackedPlugin } from './pack-plugin.ts';

/** A packed plugin in a process as on a server, with all that it may ask for kept in memory. */
export interface TrialHost extends AsyncDisposable {
  plugin: ActivePlugin;
  /** As contributions use them. */
  calls: PluginCalls;
  pool: PluginProcessPool;
  /** A message that the plugin is called for. */
  message(text: string): PipelineMessage;
}

/** What the only model of a trial answers, and the vector of each text. */
const modelUuid = '00000000-0000-7000-8000-00000000000d';

/**
 * Unpacks a plugin to a temporary folder and prepares its process, which starts with the first call.
 * @param given settings besides the defaults; addresses in them may be private, as those are that an admin saves
 */
export async function openTrialHost(
  { bytes, inspected }: PackedPlugin,
  given: Record<string, unknown>,
): Promise<TrialHost> {
  const { manifest, digest } = inspected;
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-plugin-')));
  for (const entry of await openPackage(bytes)) {
    if (entry.path.endsWith('/')) continue;
    await mkdir(dirname(join(folder, entry.path)), { recursive: true });
    await writeFile(join(folder, entry.path), await entry.read());
  }
  const { id } = manifest;
  const grants = { send: [], models: [modelUuid], knowledge: [] };
  const plugin: ActivePlugin = { id, manifest, grants, on_failure: 'pass', admin_addresses: null };
  const values = completeSettings(settingsSchema(manifest), given);
  const settings = async () => values;
  const messages = new Map<string, PipelineMessage>();
  const host = new HostApi(trialHandlers(settings));
  const scopeOf = (uuid: string, plugin_id: string, point: string) => {
    const message = messages.get(uuid);
    return message === undefined ? null : scopeFor(message, { message_uuid: uuid, claim: 1, plugin_id, point });
  };
  const pool = new PluginProcessPool({
    launch: (program) => launchPlugin(program, 'best'),
    hostWhileStarting: () => host.during(plugin, null),
  });
  pool.set(programOf({ manifest, digest }, { folder: () => folder }));
  return {
    plugin,
    pool,
    calls: { plugins: { list: () => [plugin] }, caller: pool, host, scopeOf },
    message: (text) => {
      const message = messageOf(text);
      messages.set(message.uuid, message);
      return message;
    },
    [Symbol.asyncDispose]: async () => {
      await pool.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function trialHandlers(settings: () => Promise<Record<string, unknown>>): HostHandlers {
  const storage = new MemoryStorage();
  return {
    ...coreHandlers({ settings, effects: storage, values: storage, send: async () => undefined }),
    ...hostFetch({ settings, fetchFor: createFetchForRecord() }),
    ...contentHandlers({
      retrieve: async () => ({ passages: [], failures: [] }),
      readMedia: async () => {
        throw new ParleyError('not_found', 'The messages of a trial have no files');
      },
    }),
    models_list: async () => ({ result: [{ uuid: modelUuid, name: 'Trial', kind: 'llm' }] }),
    models_generate: async () => ({ result: { text: 'An answer.', input_tokens: 1, output_tokens: 1 } }),
    models_stream: async () => ({
      result: null,
      items: (async function* () {
        yield { text: 'An answer.' };
      })(),
    }),
    models_embed: async ({ texts }) => ({ result: texts.map((text) => [text.length, 1]) }),
  };
}

function scopeFor(message: PipelineMessage, source: PluginMessageScope['source']): PluginMessageScope {
  return {
    message,
    attempt: 1,
    knowledgeBases: [],
    source,
    signal: new AbortController().signal,
    reply: async () => undefined,
    history: async () => [
      { role: 'user', text: textOfChain(message.message_chain), message_chain: message.message_chain },
    ],
    resetConversation: async () => undefined,
    addCall: () => undefined,
  };
}

function messageOf(text: string): PipelineMessage {
  return {
    uuid: newUuid(),
    bot_uuid: '00000000-0000-7000-8000-000000000001',
    pipeline_uuid: '00000000-0000-7000-8000-000000000002',
    conversation_uuid: '00000000-0000-7000-8000-000000000003',
    session_type: 'person',
    session_id: 'ada',
    thread_id: '',
    sequence: 1,
    platform_message_id: '1',
    sender_id: 'ada',
    sender_name: 'Ada',
    facts: {},
    message_chain: [{ type: 'Plain', text }],
    created_at: new Date().toISOString(),
  };
}
