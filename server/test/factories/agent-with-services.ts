import type { RunnerContext, ToolSource } from '@parley/sdk';
import { fakeTool, pipelineMessage, silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, expect } from 'vitest';
import { ToolGateway } from '../../src/core/tools/tool-gateway.ts';
import { openAiCompatible } from '../../src/providers/openai-compatible/index.ts';
import { type Answered, askAgent } from '../../src/runners/local-agent/testing/ask-agent.ts';
import { KyselyToolCallStore } from '../../src/storage/tools/kysely-tool-call-store.ts';
import { type FakeOpenAi, type FakeOpenAiBehaviour, startFakeOpenAi } from '../fakes/openai-server.ts';
import { insertMessage } from '../stores/insert-message.ts';
import { checkInProcess } from './check-in-process.ts';
import { type ModelServices, openModelServices } from './model-services.ts';

export const keys = ['sk-0123456789abcdefwxyz', 'sk-another-0123456789ab'];
const tools: ToolSource = {
  name: 'test',
  tools: async () => [
    fakeTool({ name: 'weather', answer: 'Sunny' }),
    fakeTool({ name: 'throws', answer: () => Promise.reject(new Error('password=hunter2')) }),
    fakeTool({ name: 'hangs', answer: () => new Promise<never>(() => undefined) }),
    fakeTool({ name: 'talks', answer: '今'.repeat(700_000) }),
  ],
};

/** The result of a question: the answer, and the outcome of its calls. */
export interface Outcome {
  text: string;
  reason: string | null;
  retryAfterSeconds?: number;
  /** Of each request: the model, why it failed, whether a piece came before. */
  requests: [model: string, reason: string | null, hadPiece: boolean][];
  tools: [name: string, state: string, reason: string | null][];
}

export interface AskOptions {
  fallback?: boolean;
  maximumRetries?: number;
  retrieve?: RunnerContext['retrieve'];
  mode?: string;
  signal?: AbortSignal;
}

export const fine: FakeOpenAiBehaviour = { kind: 'answer', chunks: ['Fine', '.'] };
export const calling = (...names: string[]): FakeOpenAiBehaviour => ({
  kind: 'tool_calls',
  calls: names.map((name) => ({ name, arguments: { query: 'x' } })),
});
/**
 * An agent with two models of a fake service over a real socket, tools and the real stores, recreated for each test of
 * the calling file.
 */
export function agentWithServices() {
  let services: ModelServices;
  let server: FakeOpenAi;
  let toolCalls: KyselyToolCallStore;
  /** The models `first` and `second`, each with its own provider at the same server. */
  let models: string[];

  beforeEach(async () => {
    services = await openModelServices(openAiCompatible);
    server = await startFakeOpenAi();
    const { database, engine, replica } = services.storage;
    toolCalls = new KyselyToolCallStore(database, engine, replica);
    models = [];
    for (const [name, api_keys] of Object.entries({ first: [keys[0] as string], second: [] })) {
      models.push(
        await services.models.llm.create({
          name,
          provider: { requester: 'openai-chat-completions', base_url: server.base_url, api_keys },
          abilities: ['func_call'],
        }),
      );
    }
  });
  afterEach(async () => {
    await server.close();
    await services.close();
  });

  async function ask({
    fallback = false,
    maximumRetries = 1,
    retrieve,
    mode,
    signal,
  }: AskOptions = {}): Promise<Outcome & { answered: Answered }> {
    const message = await insertMessage(services.storage.database, services.storage.replica.id);
    const gateway = new ToolGateway(toolCalls, { sources: [tools], checker: checkInProcess, logger: silentLogger });
    const rights = { allowed: ['*'], timeoutMs: 150 };
    const answered = await askAgent({
      // In tests of slow knowledge bases, a busy machine must not look like a silent model.
      agent: { silenceTimeoutMs: retrieve === undefined ? 200 : 10_000, maximumRetries, retrievalTimeoutMs: 100 },
      config: {
        model: { primary: models[0], fallbacks: fallback ? [models[1]] : [] },
        ...(mode === undefined ? {} : { 'knowledge-mode': mode }),
      },
      knowledge_bases: retrieve === undefined ? [] : ['base-1'],
      ...(signal === undefined ? {} : { signal }),
      message: pipelineMessage({ uuid: message }),
      context: {
        openModel: (uuid) => services.opener.open(uuid),
        tools: gateway.forMessage({ message: pipelineMessage({ uuid: message }), claim: 1 }, rights, () => undefined),
        ...(retrieve === undefined ? {} : { retrieve }),
      },
    });
    const error = answered.error as { reason?: string; retryAfterSeconds?: number } | undefined;
    return {
      answered,
      text: answered.text,
      reason: error === undefined ? null : (error.reason ?? String(error)),
      ...(error?.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      requests: answered.calls.map((call) => [call.model_name, call.reason, call.first_piece_milliseconds !== null]),
      tools: (await toolCalls.ofMessage(message)).map(({ tool_name, state, reason }) => [tool_name, state, reason]),
    };
  }

  /** What each request meets in turn, and all later ones like the last. */
  const inTurn = (...behaviours: FakeOpenAiBehaviour[]) => {
    const before = server.requests.length;
    server.behave((index) => behaviours[index - before] ?? (behaviours.at(-1) as FakeOpenAiBehaviour));
  };

  async function expectNextToWork() {
    server.behave(fine);
    expect(await ask()).toMatchObject({ text: 'Fine.', reason: null, requests: [['first', null, true]], tools: [] });
  }

  /** What the model was shown at last. */
  const lastMessages = () => (server.requests.at(-1)?.body?.messages ?? []) as { role: string; content: string }[];

  return {
    ask,
    inTurn,
    expectNextToWork,
    lastMessages,
    services: () => services,
    server: () => server,
    /** Has another service stand where the first one was. */
    replaceServer: async (behaviour: FakeOpenAiBehaviour, port: number) => {
      server = await startFakeOpenAi(behaviour, port);
    },
  };
}
