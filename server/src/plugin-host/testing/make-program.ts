import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PipelineMessage, PluginContributions } from '@parley/sdk';
import type { PluginProgram, PluginRequest } from '../../core/plugins/plugin-caller.ts';

export interface MadeProgram extends PluginProgram, AsyncDisposable {}

/** A plugin in a temporary folder, which is removed when it is disposed of. */
export async function makeProgram(
  main: string,
  { id = 'example/plugin', files = {}, limits = {} }: MadeProgramOptions = {},
): Promise<MadeProgram> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-plugin-')));
  const hashes: Record<string, string> = {};
  for (const [path, content] of Object.entries({ ...files, 'main.js': main })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
    hashes[path] = createHash('sha256').update(content).digest('hex');
  }
  const contributes: PluginContributions = {
    tools: [{ name: 'act', description: 'Acts.', parameters: { type: 'object' } }],
    listeners: [{ point: 'received' }],
  };
  return {
    id,
    version: '1.0.0',
    folder,
    main: 'main.js',
    files: hashes,
    limits: { heartbeat_seconds: 5, listener_seconds: 3, memory_mb: 128, ...limits },
    permissions: {},
    start: { protocol: 1, id, version: '1.0.0', sdk: '^0.1.0', contributes },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

interface MadeProgramOptions {
  id?: string;
  /** By path, besides `main.js`. */
  files?: Record<string, string>;
  limits?: Partial<PluginProgram['limits']>;
}

const madeMessage: PipelineMessage = {
  uuid: '00000000-0000-7000-8000-00000000000a',
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
  message_chain: [{ type: 'Plain', text: 'Hello' }],
  created_at: '2026-01-01T00:00:00.000Z',
};

type CallOptions = Partial<Pick<PluginRequest, 'timeoutMs' | 'signal' | 'host'>>;

/** A call of its tool `act`. */
export function callOfTool(
  plugin: string,
  parameters: Record<string, unknown> = {},
  options: CallOptions = {},
): PluginRequest {
  const about = { message: madeMessage, attempt: 1, name: 'act', parameters };
  return { plugin, method: 'tool', parameters: about, ...callDefaults(), ...options };
}

/** A call of its listener on `received`. */
export function callOfListener(plugin: string, options: CallOptions = {}): PluginRequest {
  const event = { message_chain: madeMessage.message_chain };
  const about = { message: madeMessage, attempt: 1, point: 'received', event } as const;
  return { plugin, method: 'listener', parameters: about, ...callDefaults(), ...options };
}

function callDefaults(): Required<CallOptions> {
  return {
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    host: {
      answer: async (method) => {
        throw new Error(`the test answers no ${method}`);
      },
    },
  };
}
