import type { MessageEvent } from '@parley/sdk';
import { expect, vi } from 'vitest';
import type { Config } from '../../src/config/index.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { messageEvent } from '../stores/ledger-records.ts';
import { createFakePlatform, type FakePlatform } from './fake-platform.ts';
import { startTestService, type TestService } from './start-test-service.ts';

const patience = { timeout: 30_000 };

/** The outcome of a tool call, as in the trace of its message. */
export interface CalledTool {
  tool_name: string;
  state: string;
  reason: string | null;
  result: string | null;
  error: string | null;
}

/** A service whose bot has a model that calls the tools of MCP servers. */
export interface AgentWithServers {
  service: TestService;
  /** Records the requests: offered tools and prompts. */
  model: FakeOpenAi;
  /** Of the bot; records what it sent. */
  platform: FakePlatform;
  /** The pipeline of the bot. */
  pipeline: string;
  /** @returns `data` */
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by their path
  send(method: string, url: string, json?: object, expected?: number): Promise<any>;
  /** Creates an enabled server whose tools run for everyone, and waits until it is connected. */
  connect(name: string, mode: 'stdio' | 'http', extraArguments: object): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into it
  runtimeInfo(name: string): Promise<any>;
  /** Has the model call a tool once, in its next answer. */
  nextCall(tool: string, parameters: object): void;
  /**
   * Sends a message to the bot, for which the model calls a tool once.
   * @param event further fields of the message; by default from `ada`
   */
  call(tool: string, parameters: object, event?: Partial<MessageEvent>): Promise<CalledTool>;
  /** The message, once it is finished. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into it
  explained(message: string): Promise<any>;
  stop(): Promise<void>;
}

/** @param config settings of the service */
export async function startAgentWithServers(config: Partial<Config> = {}): Promise<AgentWithServers> {
  const fake = createFakePlatform();
  const model = await startFakeOpenAi();
  const service = await startTestService({
    extensions: { platforms: [fake.platform] },
    config: { shutdownTimeoutSeconds: 1, ...config },
  });
  const send: AgentWithServers['send'] = async (method, url, json, expected = 200) => {
    const request = { method, url: `/api/v1${url}`, bearer: service.account.token };
    const { status, text, body } = await service.request(json === undefined ? request : { ...request, json });
    expect(status, text).toBe(expected);
    return expected === 200 ? body.data : body;
  };
  const runtimeInfo = async (name: string) => (await send('GET', `/mcp/servers/${name}`)).server.runtime_info;

  const [{ uuid: pipeline }] = (await send('GET', '/pipelines')).pipelines;
  const provider = {
    requester: 'openai-chat-completions',
    base_url: model.base_url,
    api_keys: ['sk-0123456789abcdef'],
  };
  const { uuid } = await send('POST', '/provider/models/llm', { name: 'Large', provider, abilities: ['func_call'] });
  const { config: settings } = (await send('GET', `/pipelines/${pipeline}`)).pipeline;
  Object.assign(settings.ai['local-agent'], { model: { primary: uuid, fallbacks: [] }, tools: ['*'] });
  settings.safety['rate-limit'].limitation = 1_000_000;
  await send('PUT', `/pipelines/${pipeline}`, { config: settings });
  const bot = { name: 'Bot', adapter: 'fake', adapter_config: {}, enable: true, use_pipeline_uuid: pipeline };
  await send('POST', '/platform/bots', bot);
  await vi.waitFor(() => expect(fake.up()).toHaveLength(1), patience);

  const nextCall: AgentWithServers['nextCall'] = (tool, parameters) => {
    const before = model.requests.length;
    model.behave((index) =>
      index === before
        ? { kind: 'tool_calls', calls: [{ name: tool, arguments: parameters }], chunks: ['Let me see. '] }
        : { kind: 'answer', chunks: ['Done.'] },
    );
  };
  const explained: AgentWithServers['explained'] = async (message) => {
    const finishedAt = async () => (await send('GET', `/messages/${message}`)).message.finished_at;
    await expect.poll(finishedAt, patience).not.toBeNull();
    return send('GET', `/messages/${message}/explain`);
  };

  return {
    service,
    model,
    platform: fake,
    pipeline,
    nextCall,
    explained,
    send,
    runtimeInfo,
    connect: async (name, mode, extra_args) => {
      await send('POST', '/mcp/servers', { name, enable: true, mode, extra_args });
      const { servers } = await send('GET', '/mcp/servers');
      const bound_mcp_servers = servers.map((server: { uuid: string }) => server.uuid);
      const mcp_tool_users = Object.fromEntries(
        bound_mcp_servers.map((bound: string) => [bound, { allow: 'everyone', users: [] }]),
      );
      const bound = { enable_all_mcp_servers: false, bound_mcp_servers, mcp_tool_users };
      await send('PUT', `/pipelines/${pipeline}/extensions`, bound);
      await vi.waitFor(async () => expect(await runtimeInfo(name)).toMatchObject({ status: 'connected' }), patience);
    },
    call: async (tool, parameters, event = {}) => {
      nextCall(tool, parameters);
      const message = (await fake.adapters.at(-1)?.context.receive(messageEvent('Go', event)))?.uuid ?? '';
      const [called] = (await explained(message)).tool_calls;
      return called as CalledTool;
    },
    stop: async () => {
      await service.stop();
      await model.close();
    },
  };
}
