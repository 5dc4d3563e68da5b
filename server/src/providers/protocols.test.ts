import type { ModelConnection, ModelKind, ModelRequester, OpenedModel } from '@parley/sdk';
import { ParleyError, providerError } from '@parley/sdk';
import { modelRequesterContract, silentLogger } from '@parley/sdk/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openModelServices } from '../../test/factories/model-services.ts';
import {
  dialectNameOf,
  type ModelServer,
  type ModelServerBehaviour,
  startModelServer,
} from '../../test/fakes/model-server/index.ts';
import { ModelOpener } from '../core/models/model-opener.ts';
import { ModelTester } from '../core/models/model-tester.ts';
import { createGuardedFetch } from '../kit/guarded-fetch.ts';
import { modelRequesters } from './index.ts';

/** One requester of each protocol, and of each set of kinds of models. */
const protocols = [
  'openai-chat-completions',
  'deepseek-chat-completions',
  'zhipuai-chat-completions',
  'mistral-chat-completions',
  'siliconflow-chat-completions',
  'jina',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'azure-openai',
  'amazon-bedrock',
  'ollama-chat',
].map((name) => modelRequesters.find((requester) => requester.name === name) as ModelRequester);

const fetch = createGuardedFetch({ policy: 'saved' });
const services = await openModelServices();
const { providers, models } = services.withRequesters(modelRequesters);
const opener = new ModelOpener(services.store, providers, () => fetch);
afterAll(() => services.close());

/** A key that looks like none, so that only the requester can know it. */
const key = 'tomorrow never knows';

for (const requester of protocols) await protocolTests(requester);

async function protocolTests(requester: ModelRequester) {
  const server: ModelServer = await startModelServer(dialectNameOf(requester.name));
  afterAll(() => server.close());

  const connection = (fields: Partial<ModelConnection> = {}): ModelConnection => ({
    model_name: 'some-model',
    base_url: server.base_url,
    api_key: key,
    extra_args: {},
    fetch,
    ...fields,
  });

  describe(requester.name, () => {
    beforeEach(() => {
      server.requests.length = 0;
      server.behave({ kind: 'answer' });
    });

    modelRequesterContract({
      requester,
      connection,
      slowConnection: () => {
        server.behave({ kind: 'stall', chunks: ['Well'] });
        return connection();
      },
    });

    const test = (
      kind: ModelKind,
      behaviour: ModelServerBehaviour,
      base_url = server.base_url,
      milliseconds = 10_000,
    ) => {
      server.behave(behaviour);
      const described = { name: 'some-model', provider: { requester: requester.name, base_url, api_keys: [key] } };
      const tester = new ModelTester(services.store, providers, opener, {
        calls: { record: async () => undefined },
        logger: silentLogger,
        timeoutMs: milliseconds,
      });
      return tester.test(kind, '_', described, { signal: new AbortController().signal });
    };
    const failure = async (...given: Parameters<typeof test>) => {
      const error = await test(...given).then(
        () => Promise.reject(new Error('the test succeeded')),
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(ParleyError);
      expect(`${(error as Error).stack} ${JSON.stringify(error)}`).not.toContain(key);
      return error as ParleyError;
    };

    describe.each(requester.support_type)('a test of a model of the kind %s', (kind) => {
      it('tells that it answers', async () => {
        expect(await test(kind, { kind: 'answer', inputTokens: 21, outputTokens: 4 })).toEqual({
          latency_ms: expect.any(Number),
          ...(kind === 'llm' && { usage: { input_tokens: 21, output_tokens: 4 } }),
          ...(kind === 'text-embedding' && { dimension: 4 }),
        });
        expect(server.keys()).toEqual([key]);
      });

      it('tells that the key is refused', async () => {
        const error = await failure(kind, { kind: 'error', status: 401, message: `Wrong key ${key}` });
        expect(error).toMatchObject({
          reason: 'provider_unauthorized',
          message: 'The model provider does not accept the key.',
        });
      });

      it('tells that there is no such model', async () => {
        const error = await failure(kind, { kind: 'unknown-model' });
        expect(error.reason).toBe('unknown_model');
        expect(error.message).toMatch(/^The model provider does not know the model: ./);
      });

      it('tells when to come back', async () => {
        const behaviour = { kind: 'error', status: 429, headers: { 'retry-after': '7' } } as const;
        expect(await failure(kind, behaviour)).toMatchObject({ reason: 'quota', retryAfterSeconds: 7 });
      });

      it('reports a broken provider, with its message, without the key', async () => {
        const error = await failure(kind, { kind: 'error', status: 500, message: `Cannot serve ${key}` });
        expect(error).toMatchObject({
          reason: 'provider_failed',
          message: 'The model provider answered 500: Cannot serve [key].',
        });
      });

      it('reports a refused connection', async () => {
        const gone = await startModelServer(dialectNameOf(requester.name));
        await gone.close();
        expect(await failure(kind, { kind: 'answer' }, gone.base_url)).toMatchObject({
          reason: 'provider_unreachable',
          message: 'The model provider could not be reached (ECONNREFUSED).',
        });
      });

      it('reports a timeout, and disconnects', async () => {
        expect(await failure(kind, { kind: 'stall' }, server.base_url, 300)).toMatchObject({
          reason: 'provider_timeout',
          message: 'The model provider did not answer in time.',
        });
        await server.requests[0]?.closed;
      });

      it('tells that an answer breaks off', async () => {
        expect(await failure(kind, { kind: 'cut', chunks: ['Well'] })).toMatchObject({ reason: 'provider_failed' });
      });
    });

    if (requester.languageModel !== undefined) languageModelTests(requester, server, connection);
    if (requester.embeddingModel !== undefined) {
      it('sends extra arguments along with texts', async () => {
        const model = await requester.embeddingModel?.(connection({ extra_args: { of_a_test: { deep: 1 } } }));
        await model?.doEmbed({ values: ['a'] });
        expect(server.requests[0]?.body).toMatchObject({ of_a_test: { deep: 1 } });
      });
    }

    it('sends nothing for a key where there is none', async () => {
      for (const api_key of [null, '']) {
        const wanted = connection({ api_key });
        await (await requester.languageModel?.(wanted))?.doGenerate(question);
        await (await requester.embeddingModel?.(wanted))?.doEmbed({ values: ['a'] });
        await requester.listModels?.(wanted, new AbortController().signal);
      }
      expect(server.keys().length).toBeGreaterThan(1);
      expect(new Set(server.keys())).toEqual(new Set([null]));
    });

    it('opens a model once for everything that is the same', async () => {
      const open = requester.languageModel ?? requester.embeddingModel;
      const model = await open?.(connection());
      expect(await open?.(connection())).toBe(model);
      for (const other of [{ api_key: 'other' }, { model_name: 'other' }, { extra_args: { a: 1 } }]) {
        expect(await open?.(connection(other))).not.toBe(model);
      }
    });
  });
}

const question = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }] };

function languageModelTests(
  requester: ModelRequester,
  server: ModelServer,
  connection: (fields?: Partial<ModelConnection>) => ModelConnection,
) {
  it('sends extra arguments along, but not in place of the conversation', async () => {
    const conversation = ['messages', 'input', 'contents'];
    const replaced = Object.fromEntries(conversation.map((field) => [field, ['replaced']]));
    const extra_args = { ...replaced, of_a_test: { deep: 1 } };
    const model = await requester.languageModel?.(connection({ extra_args }));
    await model?.doGenerate(question);
    const { body = {} } = server.requests[0] ?? {};
    expect(body).toMatchObject({ of_a_test: { deep: 1 } });
    expect(conversation.some((field) => JSON.stringify(body[field])?.includes('Hi'))).toBe(true);
  });

  it('takes turns with the keys of a provider, and leaves one alone that is refused', async () => {
    const provider = { requester: requester.name, base_url: server.base_url, api_keys: ['bad', 'good'] };
    const uuid = await models.llm.create({ name: 'some-model', provider });
    server.behave((_call, given) => (given === 'bad' ? { kind: 'error', status: 401 } : { kind: 'answer' }));
    const ask = async () => {
      const opened = await opener.open(uuid);
      return answerOf(opened).then(
        (text) => {
          opened.report(null);
          return text;
        },
        (error: unknown) => {
          const { reason } = providerError(error);
          opened.report({ reason });
          return reason;
        },
      );
    };
    const said = [];
    for (let times = 0; times < 4; times += 1) said.push(await ask());
    expect(said).toEqual(['provider_unauthorized', ...Array.from({ length: 3 }, () => 'Hello there.')]);
    expect(server.keys()).toEqual(['bad', 'good', 'good', 'good']);
  });
}

async function answerOf({ model }: OpenedModel): Promise<string> {
  const { stream } = await model.doStream(question);
  let text = '';
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') text += part.delta;
  }
  return text;
}
