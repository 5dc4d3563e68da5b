import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAddresses } from '../../src/assembly/addresses.ts';
import { createSecrets } from '../../src/assembly/secrets.ts';
import { ModelPriceService } from '../../src/core/models/model-price-service.ts';
import { ProviderService } from '../../src/core/models/provider-service.ts';
import { PipelineService } from '../../src/core/pipelines/pipeline-service.ts';
import { SensitiveWordService } from '../../src/core/sensitive-words/sensitive-word-service.ts';
import { Registry } from '../../src/lib/registry.ts';
import { modelRequesters } from '../../src/providers/index.ts';
import { KyselyBotStore } from '../../src/storage/bots/kysely-bot-store.ts';
import type { Database } from '../../src/storage/database.ts';
import type { Engine } from '../../src/storage/engine.ts';
import { createLedger } from '../../src/storage/messages/open-ledger.ts';
import { KyselyModelPriceStore } from '../../src/storage/models/kysely-model-price-store.ts';
import { KyselyModelStore } from '../../src/storage/models/kysely-model-store.ts';
import { NodeSqlite } from '../../src/storage/node-sqlite.ts';
import { KyselyPipelineStore } from '../../src/storage/pipelines/kysely-pipeline-store.ts';
import { openSharedStorage } from '../../src/storage/shared-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { KyselyMetadataStore } from '../../src/storage/system/kysely-metadata-store.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { type AnyConfig, completeConfig, pipelineServiceOptions } from '../factories/pipeline-schema.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { seededNumbers } from '../shared/seeded-numbers.ts';
import { engines } from '../stores/each-engine.ts';
import { conversationKey, messageEvent, plain } from '../stores/ledger-records.ts';
import { livingReplica } from '../stores/replicas.ts';

/** What the answer to a message shows of the records. */
interface Expected {
  /** System prompts of the two pipelines. */
  prompts: [string, string];
  /** Index of the pipeline that the bot is bound to. */
  bound: 0 | 1;
  model: string;
  key: string;
  word: string;
  /** Per million tokens of input; null for none. */
  price: number | null;
}

/** Changes one record to the value that its name says; `number` makes values distinct. */
type Change = (number: number) => Promise<void>;

const answer = 'alpha beta gamma';
const words = ['alpha', 'beta', 'gamma'];
const keyOf = (number: number) => `sk-0123456789abcdefgh${number}`;

/** Most statements for one message, those that begin and end transactions included, with room for work beside it. */
const statementsOf: Record<Engine, number> = { sqlite: 54, postgres: 53 };

/** Content of a message for the model is a text, or parts of which one is a text. */
function textOf(content: unknown): unknown {
  return Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : content;
}

/** The fake model is on this machine. */
const { addresses } = createAddresses();

describe.each(engines)('records in memory on %s', (engine: Engine) => {
  const fake = createFakePlatform();
  let fresh: FreshDatabase | undefined;
  let service: TestService;
  let model: FakeOpenAi;
  /** The database as the command line opens it beside a running service. */
  let shared: Storage | undefined;
  let bot: string;
  let pipelines: [string, string];
  let provider: string;
  let modelUuid: string;
  let expected: Expected;

  const data = async (method: string, url: string, json?: unknown) => {
    const bearer = service.account.token;
    const { status, text, body } = await service.request({ method, url, bearer, ...(json !== undefined && { json }) });
    if (status !== 200) throw new Error(`${method} ${url}: ${text}`);
    return body.data;
  };
  const configWith = (prompt: string): AnyConfig =>
    completeConfig({
      ai: {
        'local-agent': { model: { primary: modelUuid, fallbacks: [] }, prompt: [{ role: 'system', content: prompt }] },
      },
    });

  /** Sends a message and reads what it was answered with. */
  const say = async (text: string, session_id = 'ada') => {
    const [before, requests] = [fake.sent.length, model.requests.length];
    const adapter = fake.up()[0];
    if (adapter === undefined) throw new Error('the bot is not connected');
    await adapter.context.receive(messageEvent(text, { session_id, sender_id: session_id }));
    await expect.poll(() => fake.sent.length, { timeout: 10_000, interval: 2 }).toBe(before + 1);
    // Its end is stored after it was sent.
    const isOpen = () =>
      service.database
        .selectFrom('messages')
        .select('uuid')
        .where('text', '=', text)
        .where('state', '=', 'answered')
        .execute();
    await expect.poll(isOpen, { timeout: 10_000, interval: 2 }).toHaveLength(1);
    const request = model.requests[requests];
    const messages = request?.body?.messages as { role: string; content: string }[];
    const { cost } = await service.database
      .selectFrom('model_calls')
      .innerJoin('messages', 'messages.uuid', 'model_calls.message_uuid')
      .select('cost')
      .where('messages.text', '=', text)
      .executeTakeFirstOrThrow();
    return {
      prompt: messages.find(({ role }) => role === 'system')?.content,
      model: request?.body?.model,
      key: request?.headers.authorization,
      shown: fake.sent.at(-1)?.message_chain,
      cost,
      history: messages
        .filter(({ role }) => role !== 'system')
        .map(({ content }) => textOf(content))
        .slice(0, -1),
    };
  };
  const expectedAnswer = () => ({
    prompt: expected.prompts[expected.bound],
    model: expected.model,
    key: `Bearer ${expected.key}`,
    shown: [{ type: 'Plain', text: answer.replace(expected.word, '*'.repeat(expected.word.length)) }],
    cost: expected.price,
  });

  beforeAll(async () => {
    if (engine === 'postgres') fresh = await migratedDatabase();
    model = await startFakeOpenAi({
      kind: 'answer',
      chunks: [answer],
      usage: { prompt_tokens: 1_000_000, completion_tokens: 0 },
    });
    service = await startTestService({
      ...(fresh && { databaseUrl: fresh.url }),
      extensions: { platforms: [fake.platform] },
    });
    provider = (
      await data('POST', '/api/v1/provider/providers', {
        name: 'Fake',
        requester: 'openai-chat-completions',
        base_url: model.base_url,
        api_keys: [keyOf(0)],
      })
    ).uuid;
    modelUuid = (await data('POST', '/api/v1/provider/models/llm', { name: 'model-0', provider_uuid: provider })).uuid;
    const create = async (prompt: string): Promise<string> =>
      (await data('POST', '/api/v1/pipelines', { name: prompt, config: configWith(prompt) })).uuid;
    pipelines = [await create('prompt-0'), await create('prompt-1')];
    const record = { name: 'Parrot', adapter: 'fake', adapter_config: {}, enable: true };
    bot = (await data('POST', '/api/v1/platform/bots', { ...record, use_pipeline_uuid: pipelines[0] })).uuid;
    await data('PUT', '/api/v1/safety/sensitive-words', { words: ['beta'], mask: '*', mask_word: '' });
    expected = {
      prompts: ['prompt-0', 'prompt-1'],
      bound: 0,
      model: 'model-0',
      key: keyOf(0),
      word: 'beta',
      price: null,
    };
    await vi.waitUntil(() => fake.up().length === 1, { timeout: 10_000 });
    // On SQLite, a connection in this thread must not wait for the locks of the service.
    if (fresh !== undefined)
      shared = await openSharedStorage({ dataDir: service.config.dataDir, databaseUrl: fresh.url });
  }, 60_000);
  afterEach(() => void vi.restoreAllMocks());
  afterAll(async () => {
    await shared?.close();
    await service.stop();
    await model.close();
    await fresh?.drop();
  });

  const prompt = (number: number): [0 | 1, string] => {
    const index = number % 2 === 0 ? 0 : 1;
    expected.prompts[index] = `prompt-${number}`;
    return [index, `prompt-${number}`];
  };
  const word = (number: number) => {
    expected.word = words[number % words.length] ?? '';
    return [expected.word];
  };
  const price = (number: number) => {
    expected.price = number;
    return { input_price: number, output_price: 0 };
  };
  const boundTo = (number: number) => {
    expected.bound = number % 2 === 0 ? 0 : 1;
    return pipelines[expected.bound];
  };
  const newKey = (number: number) => {
    expected.key = keyOf(number);
    return [expected.key];
  };

  const byApi: Record<string, Change> = {
    pipeline: async (number) => {
      const [index, text] = prompt(number);
      await data('PUT', `/api/v1/pipelines/${pipelines[index]}`, { config: configWith(text) });
    },
    key: async (number) => data('PUT', `/api/v1/provider/providers/${provider}`, { api_keys: newKey(number) }),
    word: async (number) => data('PUT', '/api/v1/safety/sensitive-words', { words: word(number) }),
    price: async (number) => data('PUT', `/api/v1/provider/model-prices/${expected.model}`, price(number)),
    'no price': async (number) => {
      await data('PUT', `/api/v1/provider/model-prices/${expected.model}`, price(number));
      await data('DELETE', `/api/v1/provider/model-prices/${expected.model}`);
      expected.price = null;
    },
    bot: async (number) => {
      await data('PUT', `/api/v1/platform/bots/${bot}`, { use_pipeline_uuid: boundTo(number) });
      await expect.poll(() => fake.up().length, { timeout: 10_000, interval: 2 }).toBe(1);
    },
  };

  /** The services of the product over another connection, as another process has them. */
  const elsewhere = async (database: Database): Promise<Record<string, Change>> => {
    const { secrets } = await createSecrets({ database } as Storage, service.config);
    const pipelineService = new PipelineService(
      new KyselyPipelineStore(database, engine),
      secrets,
      pipelineServiceOptions({ addresses }),
    );
    const providers = new ProviderService(
      new KyselyModelStore(database, engine),
      new Registry([...modelRequesters]),
      secrets,
      addresses,
    );
    const wordService = new SensitiveWordService(new KyselyMetadataStore(database), async () => undefined);
    const prices = new ModelPriceService(new KyselyModelPriceStore(database));
    return {
      pipeline: async (number) => {
        const [index, text] = prompt(number);
        await pipelineService.update(pipelines[index], { config: configWith(text) }, 'admin');
      },
      key: async (number) => providers.update(provider, { api_keys: newKey(number) }, 'admin'),
      word: async (number) => wordService.update({ words: word(number) }),
      price: async (number) => void (await prices.set(expected.model, price(number))),
      bot: async (number) => {
        const use_pipeline_uuid = boundTo(number) ?? null;
        await new KyselyBotStore(database, engine).update(bot, () => ({ use_pipeline_uuid }));
      },
    };
  };

  /** Statements of a program that knows only the tables. */
  const bySql = (database: Database): Record<string, Change> => ({
    model: async (number) => {
      await database.deleteFrom('model_prices').execute();
      expected.price = null;
      expected.model = `model-${number}`;
      await database.updateTable('models').set({ name: expected.model }).where('uuid', '=', modelUuid).execute();
    },
    pipeline: async (number) => {
      const [index, text] = prompt(number);
      const config = JSON.stringify(configWith(text));
      await database.updateTable('pipelines').set({ config }).where('uuid', '=', pipelines[index]).execute();
    },
    price: async (number) => {
      const stamp = '2026-01-01T00:00:00.000Z';
      const row = { model_name: expected.model, ...price(number), created_at: stamp, updated_at: stamp };
      await database.deleteFrom('model_prices').execute();
      await database.insertInto('model_prices').values(row).execute();
    },
  });

  it('hold for the very next message, whoever changed them', { timeout: 120_000 }, async () => {
    const changes = Object.entries({
      api: byApi,
      service: await elsewhere(service.database),
      ...(shared === undefined ? {} : { shared: await elsewhere(shared.database) }),
      sql: bySql(service.database),
    }).flatMap(([way, kinds]) =>
      Object.entries(kinds).map(([kind, change]) => ({ name: `${kind} by ${way}`, change })),
    );
    const seed = Date.now() % 1_000_000;
    const below = seededNumbers(seed);
    const done: string[] = [];
    for (let step = 1; step <= 60; step += 1) {
      for (let count = below(3); count > 0; count -= 1) {
        const { name, change } = changes[below(changes.length)] ?? { name: '', change: async () => undefined };
        await change(below(1000) + 2);
        done.push(name);
      }
      // Another process does not write within a turn of the event loop in which the service has begun to read.
      await nextTurn();
      const said = await say(`message ${step}`, `user-${below(5)}`);
      expect(said, `seed ${seed}, after ${done.join(', ')}`).toMatchObject(expectedAnswer());
    }
  });

  it('leave the history of a conversation as it is stored, whoever changed it', { timeout: 120_000 }, async () => {
    const { database } = service;
    const ledger = createLedger(database, engine, { webhookWaitMs: 0, claimant: await livingReplica(database) });
    const ended = async () => {
      const isEnded = ['answered', 'finished'] as const;
      return database
        .selectFrom('messages')
        .select(['uuid', 'conversation_uuid'])
        .where('state', 'in', isEnded)
        .execute();
    };
    const key = (session_id: string) =>
      conversationKey({ bot_uuid: bot, pipeline_uuid: pipelines[expected.bound], session_id });
    const disturbances: Record<string, (user: string, number: number) => Promise<unknown>> = {
      edit: async (_, number) => {
        const all = await ended();
        const uuid = all[number % all.length]?.uuid ?? '';
        return database
          .updateTable('messages')
          .set({ text: `edited ${number}` })
          .where('uuid', '=', uuid)
          .execute();
      },
      removal: async (_, number) => {
        const all = await ended();
        const uuid = all[number % all.length]?.uuid ?? '';
        await database.deleteFrom('messages').where('reply_to', '=', uuid).execute();
        return database.deleteFrom('messages').where('uuid', '=', uuid).execute();
      },
      reset: (user) => ledger.conversations.endCurrent(key(user)),
      'proactive message': (user, number) =>
        ledger.deliveries.createOutgoing(key(user), plain(`news ${number}`), `news ${number}`),
    };
    const names = Object.keys(disturbances);
    const rounds = configWith('').ai['local-agent']['max-round'];
    const seed = Date.now() % 1_000_000;
    const below = seededNumbers(seed);
    const done: string[] = [];
    for (let step = 1; step <= 50; step += 1) {
      const user = `reader-${below(3)}`;
      const name = names[below(3 * names.length)];
      if (name !== undefined && step > 1) {
        await disturbances[name]?.(user, below(1000));
        done.push(`${name} of ${user}`);
      }
      const text = `question ${step}`;
      const { history } = await say(text, user);
      done.push(`${text} of ${user}`);
      const { conversation_uuid, sequence } = await database
        .selectFrom('messages')
        .select(['conversation_uuid', 'sequence'])
        .where('text', '=', text)
        .executeTakeFirstOrThrow();
      const stored = await ledger.history.before(conversation_uuid, sequence, rounds);
      expect(history, `seed ${seed}, after ${done.join(', ')}`).toEqual(stored.map((message) => message.text));
    }
  });

  it('are not read again with the messages of a known conversation', { timeout: 60_000 }, async () => {
    await say('first', 'known');
    await say('second', 'known');
    const statements: string[] = [];
    const run = NodeSqlite.prototype.run;
    vi.spyOn(NodeSqlite.prototype, 'run').mockImplementation(function (this: NodeSqlite, sql, parameters) {
      statements.push(sql);
      return run.call(this, sql, parameters);
    });
    const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
      statements.push(typeof given[0] === 'string' ? given[0] : (given[0] as { text: string }).text);
      return query.apply(this, given);
    } as never);
    for (const text of ['third', 'fourth', 'fifth']) await say(text, 'known');
    vi.restoreAllMocks();
    const reads = (table: string) => statements.filter((sql) => new RegExp(`from "${table}"`).test(sql));
    expect(reads('messages').length).toBeGreaterThan(0);
    for (const table of ['models', 'providers', 'model_prices', 'metadata']) expect(reads(table), table).toEqual([]);
    // Nor is the history, whose queries have one of these columns as their condition.
    const ofHistory = /^select "messages"\.\*.*("sequence" < |in \(select value from json_each|= any\()/;
    expect(statements.filter((sql) => ofHistory.test(sql))).toEqual([]);
    expect(statements.length / 3).toBeLessThan(statementsOf[engine]);
    expect(statements.filter((sql) => /^select \* from "pipelines"/.test(sql))).toEqual([]);
    expect(statements.filter((sql) => sql.startsWith('select "bots".*'))).toEqual([]);
  });
});
