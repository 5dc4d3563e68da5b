import { ParleyError } from '@parley/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mask } from '../../src/lib/mask.ts';
import { SecretBox } from '../../src/lib/secret-box.ts';
import { deriveKey, loadSecretKey } from '../../src/storage/secret-key.ts';
import {
  anySteps,
  everything,
  type ResourceKind,
  ResourceWorld,
  resourceKinds,
  secretTexts,
} from '../factories/resource-commands.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { createTrackedPlatform, type TrackedPlatform } from '../factories/tracked-platform.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { engines } from '../stores/each-engine.ts';

const maximumBots = 4;
const maximumPipelines = 4;
const runs = 15;

describe.each(engines)('whatever is done to the records on %s', (engine) => {
  let database: FreshDatabase | undefined;
  let service: TestService;
  let world: ResourceWorld;
  let steady: TrackedPlatform;
  let failing: TrackedPlatform;
  let secrets: SecretBox;
  let rulesSeen = 0;

  beforeAll(async () => {
    if (engine === 'postgres') database = await migratedDatabase();
    steady = createTrackedPlatform('steady');
    failing = createTrackedPlatform('failing', new ParleyError('platform_unauthorized', 'The token is not known'));
    service = await startTestService({
      ...(database && { databaseUrl: database.url }),
      config: { maxBots: maximumBots, maxPipelines: maximumPipelines },
      extensions: { platforms: [steady.platform, failing.platform] },
    });
    world = new ResourceWorld(service);
    secrets = new SecretBox(deriveKey(loadSecretKey(service.config.dataDir, null), 'secrets-at-rest'));
  });
  afterAll(async () => {
    await service.stop();
    await database?.drop();
    expect(steady.running.size).toBe(0);
  });

  // Random steps need their number, which takes long while other tests keep the machine busy.
  it('they fit together, what runs is what is enabled, and what was refused left nothing', {
    timeout: 90_000,
  }, async () => {
    const answered = new Map<string, number>();
    rulesSeen = 0;
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        await world.reset();
        for (const step of steps) {
          for (const answer of await world.step(step)) answered.set(answer, (answered.get(answer) ?? 0) + 1);
        }
        await expectWhole();
      }),
      { numRuns: runs, examples: [[everything]], interruptAfterTimeLimit: 30_000 },
    );
    const statuses = new Set([...answered.keys()].map((answer) => answer.split(': ')[1]));
    expect([...statuses].sort()).toEqual(['200', '400', '404', '409']);
    const missing = resourceKinds.flatMap((kind) =>
      ['create', 'update', 'delete'].map((verb) => `${verb} ${kind}: 200`).filter((answer) => !answered.has(answer)),
    );
    expect(missing).toEqual([]);
    expect(rulesSeen).toBeGreaterThan(0);
  });

  async function expectWhole(): Promise<void> {
    const tables = await readTables();
    await expectRecords(tables);
    expectReferences(tables);
    expectSecrets(tables);
    await expectConnections(tables);
  }

  async function readTables() {
    const { database: tables } = service;
    return {
      providers: await tables.selectFrom('providers').selectAll().execute(),
      models: await tables.selectFrom('models').selectAll().execute(),
      pipelines: await tables.selectFrom('pipelines').selectAll().execute(),
      pipelineModels: await tables.selectFrom('pipeline_models').selectAll().execute(),
      // Without the one that the service keeps by itself.
      bots: await tables.selectFrom('bots').selectAll().where('adapter', '!=', 'model-api').execute(),
      botPipelines: await tables.selectFrom('bot_pipelines').selectAll().execute(),
      events: await tables.selectFrom('bot_events').selectAll().execute(),
      webhooks: await tables.selectFrom('webhooks').selectAll().execute(),
      keys: await tables.selectFrom('api_keys').selectAll().execute(),
    };
  }
  type Tables = Awaited<ReturnType<typeof readTables>>;

  /** What was answered 200 exists, and nothing else: in the tables and in the lists. */
  async function expectRecords({ providers, models, pipelines, bots, webhooks, keys }: Tables): Promise<void> {
    const ofKind = (kind: string) => models.filter((model) => model.kind === kind).map(({ uuid }) => uuid);
    const uuids = (rows: { uuid: string }[]) => rows.map(({ uuid }) => uuid);
    const stored: Record<ResourceKind, string[]> = {
      provider: uuids(providers),
      llm: ofKind('llm'),
      embedding: ofKind('text-embedding'),
      rerank: ofKind('rerank'),
      pipeline: uuids(pipelines),
      bot: uuids(bots),
      webhook: webhooks.map(({ id }) => String(id)),
      key: keys.map(({ id }) => String(id)),
    };
    for (const kind of resourceKinds) {
      expect(stored[kind].sort(), kind).toEqual(world.alive(kind));
      const listed = (await world.list(kind)).map(({ uuid, id }) => String(uuid ?? id));
      expect(listed.sort(), kind).toEqual(stored[kind]);
    }
    expect(bots.length).toBeLessThanOrEqual(maximumBots);
    expect(pipelines.length).toBeLessThanOrEqual(maximumPipelines);
    expect(pipelines.filter(({ is_default }) => is_default === 1)).toHaveLength(1);
  }

  /** There are no dangling references. */
  function expectReferences(tables: Tables): void {
    const { providers, models, pipelines, pipelineModels, bots, botPipelines, events } = tables;
    const known = new Set([...providers, ...models, ...pipelines, ...bots].map(({ uuid }) => uuid));
    for (const { provider_uuid } of models) expect(known).toContain(provider_uuid);
    for (const { use_pipeline_uuid } of bots)
      if (use_pipeline_uuid !== null) expect(known).toContain(use_pipeline_uuid);
    for (const { bot_uuid } of events) expect(known).toContain(bot_uuid);
    const named = pipelines.flatMap(({ uuid, config }) => {
      const { primary, fallbacks } = JSON.parse(config).ai['local-agent'].model;
      return [...new Set([primary, ...fallbacks])].filter((model) => model !== '').map((model) => `${uuid} ${model}`);
    });
    const rows = pipelineModels.map(({ pipeline_uuid, model_uuid }) => `${pipeline_uuid} ${model_uuid}`);
    expect(rows.sort()).toEqual(named.sort());
    const languageModels = new Set(models.filter(({ kind }) => kind === 'llm').map(({ uuid }) => uuid));
    for (const { model_uuid } of pipelineModels) expect(languageModels).toContain(model_uuid);
    const ruled = bots.flatMap(({ uuid, pipeline_routing_rules: rules }) => {
      const uuids = (JSON.parse(rules) as { pipeline_uuid: string }[]).map(({ pipeline_uuid }) => pipeline_uuid);
      return [...new Set(uuids)].map((pipeline) => `${uuid} ${pipeline}`);
    });
    expect(botPipelines.map((row) => `${row.bot_uuid} ${row.pipeline_uuid}`).sort()).toEqual(ruled.sort());
    for (const { pipeline_uuid } of botPipelines) expect(known).toContain(pipeline_uuid);
    rulesSeen += ruled.length;
  }

  /** Every sealed secret is one that was sent, opens for its record alone, and is what the record shows a mask of. */
  function expectSecrets({ providers, pipelines, bots }: Tables): void {
    const known = new Set(Object.values(secretTexts));
    const open = (kind: string, { uuid, sealed_secrets: sealed }: { uuid: string; sealed_secrets: string | null }) => {
      if (sealed === null) return [];
      expect(() => secrets.open(sealed, `${kind}/00000000-0000-7000-8000-000000000000`)).toThrow();
      const texts = Object.values<string>(JSON.parse(secrets.open(sealed, `${kind}/${uuid}`)));
      for (const text of texts) expect(known).toContain(text);
      return texts.map(mask);
    };
    for (const row of providers) expect(open('provider', row)).toEqual(JSON.parse(row.api_keys));
    for (const row of pipelines) {
      const key = JSON.parse(row.config).ai['dify-service-api']['api-key'];
      expect(open('pipeline', row)).toEqual(key.includes('…') ? [key] : []);
    }
    for (const row of bots) {
      const { token = '' } = JSON.parse(row.adapter_config);
      expect(open('bot', row)).toEqual(token === '' ? [] : [token]);
    }
  }

  /** Bots that are enabled are connected once, with what their record says, where their platform works. */
  async function expectConnections({ bots, pipelines }: Tables): Promise<void> {
    const wanted = bots.map(({ uuid, adapter, enable, use_pipeline_uuid }) => ({
      uuid,
      state: enable === 0 ? 'stopped' : adapter === 'failing' ? 'error' : 'running',
      use_pipeline_name: pipelines.find((pipeline) => pipeline.uuid === use_pipeline_uuid)?.name ?? null,
    }));
    const shown = async () =>
      (await world.list('bot')).map(({ uuid, use_pipeline_name, adapter_runtime_values: { state } }) => ({
        uuid,
        state,
        use_pipeline_name,
      }));
    const byUuid = (list: { uuid: string }[]) => list.sort((left, right) => (left.uuid < right.uuid ? -1 : 1));
    await expect.poll(async () => byUuid(await shown()), { timeout: 5000 }).toEqual(byUuid(wanted));
    const tokens = bots
      .filter(({ adapter, enable }) => adapter === 'steady' && enable === 1)
      .map(({ uuid, sealed_secrets }) => {
        const stored = sealed_secrets === null ? {} : JSON.parse(secrets.open(sealed_secrets, `bot/${uuid}`));
        return [uuid, stored.token ?? ''];
      });
    const running = [...steady.running].map(([uuid, { token }]) => [uuid, token]);
    expect(running.sort()).toEqual(tokens.sort());
    expect(failing.running.size).toBe(0);
  }
});
