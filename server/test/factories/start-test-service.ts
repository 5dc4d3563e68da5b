import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { type Config, loadConfig } from '../../src/config/index.ts';
import type { Scope } from '../../src/core/accounts/api-key.ts';
import type { Role } from '../../src/core/accounts/role.ts';
import type { StoredBot } from '../../src/core/bots/bot.ts';
import { now } from '../../src/lib/clock.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import { createService, type Extensions, type Service } from '../../src/service.ts';
import { KyselyBotStore } from '../../src/storage/bots/kysely-bot-store.ts';
import type { Database } from '../../src/storage/database.ts';
import type { Engine } from '../../src/storage/engine.ts';
import { openPostgres } from '../../src/storage/postgres-database.ts';
import { databaseFile } from '../../src/storage/storage.ts';
import { copyMigratedDatabase } from '../stores/open-test-storage.ts';
import { documentedFaults } from './documented-answers.ts';
import { openBesideService } from './open-beside-service.ts';
import { SecretWatch } from './secret-watch.ts';
import { testSetupToken } from './test-setup-token.ts';

/** The columns of a bot that matter to a test; the others have defaults. */
export type TestBot = Pick<StoredBot, 'adapter'> & Partial<Omit<StoredBot, 'use_pipeline_name'>>;

export interface TestServiceOptions {
  /** Settings that differ from the test defaults: a free port of 127.0.0.1, a temporary folder, a silent log. */
  config?: Partial<Config>;
  extensions?: Extensions;
  /** PostgreSQL instead of SQLite: a database for this service alone. */
  databaseUrl?: string;
  /** Bots that exist when the service starts, in addition to the web chat. */
  bots?: TestBot[];
  /** False: nothing listens and there are no first records; requests are answered all the same. */
  listen?: boolean;
  /** False: the first account is not made. */
  account?: boolean;
}

export interface TestRequest {
  /** Default: GET. */
  method?: string;
  url: string;
  /** Sent as `X-API-Key`. */
  apiKey?: string;
  /** Sent as `Authorization: Bearer`. */
  bearer?: string;
  headers?: Record<string, string>;
  /** Body, sent as JSON. */
  json?: unknown;
  /** Body, sent as it is. */
  payload?: string | Buffer;
  remoteAddress?: string;
}

export interface TestAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  /** The parsed body; undefined when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies and compare what they find
  body: any;
}

export interface TestAccount {
  user: string;
  password: string;
  /** A good user token. */
  token: string;
  /** The cookie of the same session, as `name=value`. */
  cookie: string;
  recoveryKey: string;
}

/** A service for one test file, in this process. */
export interface TestService {
  service: Service;
  config: Config;
  /** `http://127.0.0.1:<port>`; empty when nothing listens. */
  address: string;
  /** A second connection to the service's database. */
  database: Database;
  /** The first account; its fields are empty when it was not made. */
  account: TestAccount;
  /** Answers in process. Each answer is compared with the API description and searched for secrets. */
  request(request: TestRequest): Promise<TestAnswer>;
  /** What {@link request} does with an answer that came another way, over a socket. */
  check(method: string, url: string, status: number, text: string): void;
  /** Creates another account and signs it in. */
  createAccount(role: Role): Promise<TestAccount & { uuid: string }>;
  /** @param scopes as the route accepts them; default: read, write and send */
  createApiKey(scopes?: Scope[], expiresAt?: string): Promise<{ id: number; key: string }>;
  /** Creates the records of a bot; a running service notices at its next start. @returns its uuid */
  createBot(bot: TestBot): Promise<string>;
  /** Ends the service and removes its folder. */
  stop(): Promise<void>;
}

const testUser = 'admin@example.com';
const testPassword = 'correct horse battery staple';
/** The least that Argon2 takes: the accounts of tests are worth nothing. */
const cheapPasswords = { memory: 8, passes: 1, parallelism: 1 };

/** Builds and starts a service for tests; call `stop()` when done. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const environment = {
    PARLEY_DATA_DIR: dataDir,
    PARLEY_PORT: '0',
    PARLEY_LOG_LEVEL: 'silent',
    // There is no load balancer that has to notice a stop.
    PARLEY_DRAIN_SECONDS: '0',
  };
  const config: Config = Object.freeze({
    ...loadConfig({ environment, workingDirectory: dataDir }),
    databaseUrl: options.databaseUrl ?? null,
    setupToken: testSetupToken,
    // Tests never reach another machine.
    pluginHosts: [],
    ...options.config,
  });
  const engine: Engine = config.databaseUrl === null ? 'sqlite' : 'postgres';
  const openDatabase = async () =>
    config.databaseUrl === null ? openBesideService(databaseFile(config)) : openPostgres(config.databaseUrl);
  const secrets = new SecretWatch();
  const extensions = { passwordCost: cheapPasswords, ...options.extensions };
  if (config.databaseUrl === null && !existsSync(databaseFile(config))) await copyMigratedDatabase(config.dataDir);
  let service = await createService(config, extensions);
  const database = await openDatabase();
  const listen = options.listen ?? true;
  let address = '';
  if (listen) address = await service.start();
  else await service.server.ready();
  if (options.bots !== undefined) {
    // Bots are read at start, and the first start creates the web chat only if there is no bot.
    await service.stop();
    for (const bot of options.bots) await insertBot(database, engine, bot);
    service = await createService(config, extensions);
    address = await service.start();
  }

  const check = (method: string, url: string, status: number, text: string) => {
    const found = secrets.foundIn(text);
    if (found.length > 0) throw new Error(`${method} ${url} gives away ${found.join(' and ')}`);
    const body = parsed(text);
    secrets.learn(body);
    const faults = method === 'HEAD' ? [] : documentedFaults(method, url, status, body);
    if (faults.length > 0) throw new Error(`${faults.join('\n')}\nin ${text}`);
  };

  const request = async ({ method = 'GET', url, json, ...request }: TestRequest): Promise<TestAnswer> => {
    if (json !== undefined) secrets.learn(json);
    const injected: InjectOptions = {
      method,
      url,
      headers: {
        ...(request.apiKey === undefined ? {} : { 'x-api-key': request.apiKey }),
        ...(request.bearer === undefined ? {} : { authorization: `Bearer ${request.bearer}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
    };
    if (json !== undefined) injected.payload = JSON.stringify(json);
    if (request.payload !== undefined) injected.payload = request.payload;
    if (request.remoteAddress !== undefined) injected.remoteAddress = request.remoteAddress;
    const response = await service.server.inject(injected);
    check(method, url, response.statusCode, response.body);
    return {
      status: response.statusCode,
      headers: response.headers as TestAnswer['headers'],
      text: response.body,
      body: parsed(response.body),
    };
  };

  const account: TestAccount = {
    user: '',
    password: '',
    token: '',
    cookie: '',
    recoveryKey: '',
  };
  if (options.account ?? true) {
    const credentials = { user: testUser, password: testPassword };
    const json = {
      ...credentials,
      setup_token: config.setupToken ?? service.setUp()?.token,
    };
    const made = await request({
      method: 'POST',
      url: '/api/v1/user/init',
      json,
    });
    const signedIn = await request({
      method: 'POST',
      url: '/api/v1/user/auth',
      json: credentials,
    });
    Object.assign(account, credentials, {
      recoveryKey: made.body.data.recovery_key,
      token: signedIn.body.data.token,
      cookie: signedIn.headers['set-cookie']?.split(';')[0],
    });
  }

  return {
    service,
    config,
    address,
    database,
    account,
    request,
    check,
    createAccount: async (role) => {
      const credentials = { user: `${role}-${newUuid()}@example.com`, password: testPassword };
      const made = await request({
        method: 'POST',
        url: '/api/v1/accounts',
        bearer: account.token,
        json: { ...credentials, role },
      });
      const { uuid, recovery_key: recoveryKey } = made.body.data;
      const signedIn = await request({ method: 'POST', url: '/api/v1/user/auth', json: credentials });
      const cookie = signedIn.headers['set-cookie']?.split(';')[0] ?? '';
      return { ...credentials, uuid, recoveryKey, token: signedIn.body.data.token, cookie };
    },
    createApiKey: async (scopes, expiresAt) => {
      const json = {
        name: 'test',
        ...(scopes && { scopes }),
        ...(expiresAt && { expires_at: expiresAt }),
      };
      const answer = await request({
        method: 'POST',
        url: '/api/v1/apikeys',
        bearer: account.token,
        json,
      });
      return answer.body.data.key;
    },
    createBot: (bot) => insertBot(database, engine, bot),
    stop: async () => {
      await service.stop();
      await database.destroy();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function insertBot(database: Database, engine: Engine, bot: TestBot): Promise<string> {
  const uuid = bot.uuid ?? newUuid();
  await new KyselyBotStore(database, engine).create({
    name: `A bot of ${bot.adapter}`,
    description: '',
    adapter_config: {},
    enable: true,
    use_pipeline_uuid: null,
    sealed_secrets: null,
    created_at: now(),
    updated_at: now(),
    ...bot,
    uuid,
  });
  return uuid;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
