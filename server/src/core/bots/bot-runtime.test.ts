import { type Logger, type MessageEvent, ParleyError, type Platform, Secret } from '@parley/sdk';
import { fakePlatformContext, silentLogger } from '@parley/sdk/testing';
import Type from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import { messageEvent } from '../../../test/stores/ledger-records.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { now } from '../../lib/clock.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyBotStore } from '../../storage/bots/kysely-bot-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { extractSecrets } from '../secrets/secret-fields.ts';
import { BotRuntime } from './bot-runtime.ts';

const config = Type.Object({ token: Secret(), name: Type.String() });
const clear = { token: 'a token of some length', name: 'parrot' };

describe('running bots', () => {
  const secrets = new SecretBox(Buffer.alloc(32, 1));
  let storage: Storage;
  let store: KyselyBotStore;
  let given: Record<string, unknown>[];
  let stopped: number;
  let received: [string, MessageEvent][];
  let complaints: string[];
  let contexts: Parameters<Platform['create']>[1][];
  let runtime: BotRuntime;
  beforeEach(async () => {
    storage = await openTestStorage('sqlite');
    store = new KyselyBotStore(storage.database);
    given = [];
    stopped = 0;
    received = [];
    complaints = [];
    contexts = [];
    const create: Platform['create'] = (settings, context) => {
      given.push(settings);
      contexts.push(context);
      return {
        start: async () => {
          if (settings.name === 'broken') throw new ParleyError('platform_failed', 'The platform does not answer');
        },
        stop: async () => void stopped++,
        send: async () => undefined,
      };
    };
    const logger: Logger = { ...silentLogger, error: (_, message) => complaints.push(message) };
    runtime = new BotRuntime(store, {
      platforms: [{ ...recordingPlatform(), config, create }],
      secrets,
      logger,
      receive: async (bot, event) => {
        received.push([bot, event]);
        return { outcome: 'accepted', uuid: newUuid(), sequence: 1, created_at: now() };
      },
      facilities: fakePlatformContext(),
      publicUrl: null,
    });
  });
  afterEach(() => storage.close());

  const makeBot = async (settings: Record<string, unknown> = clear, over: object = {}) => {
    const uuid = newUuid();
    const [adapter_config, values] = extractSecrets(config, settings);
    await store.create({
      uuid,
      name: 'Bot',
      description: '',
      adapter: 'recording',
      adapter_config,
      sealed_secrets: secrets.seal(JSON.stringify(values), `bot/${uuid}`),
      enable: true,
      use_pipeline_uuid: null,
      created_at: now(),
      updated_at: now(),
      ...over,
    });
    return uuid;
  };

  it('have their secrets in clear, and hand over what they receive under their own name', async () => {
    const uuid = await makeBot();
    await runtime.start();
    expect(given).toEqual([clear]);
    expect(runtime.isRunning(uuid)).toBe(true);
    const event = messageEvent('Hello');
    await contexts[0]?.receive(event);
    expect(received).toEqual([[uuid, event]]);
  });

  it('run although others do not', async () => {
    await makeBot({ ...clear, name: 'broken' });
    await makeBot(clear, { adapter: 'unknown' });
    await makeBot(clear, { sealed_secrets: 'v1.broken' });
    const off = await makeBot(clear, { enable: false });
    const good = await makeBot();
    await runtime.start();
    expect(runtime.isRunning(good)).toBe(true);
    expect(runtime.isRunning(off)).toBe(false);
    expect(complaints.sort()).toEqual([
      'bot not started',
      'bot not started',
      'bot not started: there is no such platform',
    ]);
  });

  it('are stopped once', async () => {
    const uuid = await makeBot();
    await makeBot();
    await runtime.start();
    await runtime.stop();
    await runtime.stop();
    expect(stopped).toBe(2);
    expect(() => runtime.running(uuid)).toThrow(expect.objectContaining({ reason: 'bot_not_running' }));
  });
});
