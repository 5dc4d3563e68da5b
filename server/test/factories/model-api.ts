import OpenAI from 'openai';
import { expect } from 'vitest';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import type { AnyConfig } from './pipeline-schema.ts';
import { startTestService, type TestService, type TestServiceOptions } from './start-test-service.ts';

/** The pipeline that every installation has, as programs know it. */
export const modelName = 'Default pipeline';

/** One transparent pixel, as base64. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A service whose default pipeline asks a fake of a model, and the official client of the protocol. */
export interface ModelApiFixture {
  service: TestService;
  model: FakeOpenAi;
  client: OpenAI;
  /** Its only scope is `send`. */
  key: string;
  /** The uuid of the default pipeline. */
  pipeline: string;
  /** A client without retries. */
  clientWith(apiKey: string): OpenAI;
  /** A request of the console that has to work. @returns its data */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers and compare what they find
  send(method: string, url: string, json?: object): Promise<any>;
  configure(change: (config: AnyConfig) => void): Promise<void>;
  /** The last request to the model. */
  told(): { role: string; content: unknown }[];
  /** The message that is answered under an id. */
  explained(id: string): ReturnType<ModelApiFixture['send']>;
  stop(): Promise<void>;
}

export async function startModelApi(options: TestServiceOptions = {}): Promise<ModelApiFixture> {
  const model = await startFakeOpenAi();
  const service = await startTestService(options);
  const send: ModelApiFixture['send'] = async (method, url, json) => {
    const request = { method, url: `/api/v1${url}`, bearer: service.account.token };
    const { status, text, body } = await service.request(json === undefined ? request : { ...request, json });
    expect(status, text).toBe(200);
    return body.data;
  };
  const [{ uuid: pipeline }] = (await send('GET', '/pipelines')).pipelines;
  const configure: ModelApiFixture['configure'] = async (change) => {
    const { config } = (await send('GET', `/pipelines/${pipeline}`)).pipeline;
    change(config);
    await send('PUT', `/pipelines/${pipeline}`, { config });
  };
  await send('POST', '/provider/models/llm', {
    name: 'large',
    provider: { requester: 'openai-chat-completions', base_url: model.base_url, api_keys: [] },
    abilities: ['vision', 'func_call'],
  });
  await configure(({ ai }) => {
    ai['local-agent'].prompt = [{ role: 'system', content: 'Be kind.' }];
  });
  const { key } = await service.createApiKey(['send']);
  const clientWith = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${service.address}/v1`, maxRetries: 0 });
  return {
    service,
    model,
    key,
    pipeline,
    send,
    configure,
    clientWith,
    client: clientWith(key),
    told: () => (model.requests.at(-1)?.body?.messages ?? []) as { role: string; content: unknown }[],
    explained: (id) => send('GET', `/messages/${id.replace(/^(chatcmpl-|resp_)/, '')}/explain`),
    stop: async () => {
      await service.stop();
      await model.close();
    },
  };
}
