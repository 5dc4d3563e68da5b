import { expect, it } from 'vitest';
import { pipelineServiceOptions } from '../../../test/factories/pipeline-schema.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { NewBot, StoredBot } from '../../core/bots/bot.ts';
import { PipelineService } from '../../core/pipelines/pipeline-service.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyPipelineStore } from '../pipelines/kysely-pipeline-store.ts';
import { KyselyBotStore } from './kysely-bot-store.ts';

const timestamp = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

const bot = (over: Partial<NewBot> = {}): Omit<StoredBot, 'use_pipeline_name'> => ({
  uuid: newUuid(),
  name: 'Bot',
  description: '',
  adapter: 'websocket',
  adapter_config: { token: '…', list: [1] },
  sealed_secrets: 'v1.sealed',
  admin_addresses: ['https://bots.example.com'],
  enable: true,
  use_pipeline_uuid: null,
  pipeline_routing_rules: [],
  uncertain_sends: 'continue',
  created_at: timestamp(1),
  updated_at: timestamp(1),
  ...over,
});

describeOnEachEngine('the store of bots', (storage) => {
  const store = () => new KyselyBotStore(storage().database, storage().engine);

  it('returns a bot as it was stored, with encrypted secrets only on request', async () => {
    const stored = bot({ enable: false });
    await store().create(stored);
    const { sealed_secrets: _, admin_addresses: __, ...shown } = { ...stored, use_pipeline_name: null };
    expect(await store().byUuid(stored.uuid)).toEqual(shown);
    expect(await store().list()).toEqual([shown]);
    expect(await store().stored()).toEqual([{ ...stored, use_pipeline_name: null }]);
    expect(await store().byUuid(newUuid())).toBeNull();
  });

  const createPipeline = (name: string) => {
    const pipelines = new KyselyPipelineStore(storage().database, storage().engine);
    return new PipelineService(pipelines, new SecretBox(Buffer.alloc(32)), pipelineServiceOptions()).create({ name });
  };

  it('tells the name of the pipeline that a bot is bound to', async () => {
    const use_pipeline_uuid = await createPipeline('Support');
    const stored = bot({ use_pipeline_uuid });
    expect(await store().create(stored)).toBeNull();
    expect(await store().byUuid(stored.uuid)).toMatchObject({ use_pipeline_uuid, use_pipeline_name: 'Support' });
    expect(await store().storedByUuid(stored.uuid)).toEqual({ ...stored, use_pipeline_name: 'Support' });
    expect(await store().storedByUuid(newUuid())).toBeNull();
  });

  it('binds no bot to a pipeline that is not there', async () => {
    const unknown = newUuid();
    const refusal = { reason: 'unknown_pipelines', pipelines: [unknown] };
    expect(await store().create(bot({ use_pipeline_uuid: unknown }))).toEqual(refusal);
    expect(await store().list()).toEqual([]);
    const stored = bot();
    await store().create(stored);
    expect(await store().update(stored.uuid, () => ({ use_pipeline_uuid: unknown }))).toEqual(refusal);
    expect(await store().byUuid(stored.uuid)).toMatchObject({ use_pipeline_uuid: null });
  });

  /** Which pipelines the rules of which bot are known to name. */
  const named = async () => {
    const rows = await storage().database.selectFrom('bot_pipelines').selectAll().execute();
    return rows.map(({ bot_uuid, pipeline_uuid }) => `${bot_uuid} ${pipeline_uuid}`).sort();
  };

  it('keeps rules, and which pipelines they name', async () => {
    const [first, second] = [await createPipeline('First'), await createPipeline('Second')];
    const rules = [
      { pipeline_uuid: first, persons: ['ada'] },
      { pipeline_uuid: second, time: { from: '22:00', to: '06:00', days: [1] } },
      { pipeline_uuid: first, mentioned: true },
    ];
    const stored = bot({ pipeline_routing_rules: rules });
    expect(await store().create(stored)).toBeNull();
    expect((await store().byUuid(stored.uuid))?.pipeline_routing_rules).toEqual(rules);
    expect(await named()).toEqual([`${stored.uuid} ${first}`, `${stored.uuid} ${second}`].sort());
    await store().update(stored.uuid, () => ({ name: 'Renamed' }));
    expect(await store().byUuid(stored.uuid)).toMatchObject({ name: 'Renamed', pipeline_routing_rules: rules });
    const [, night] = rules as [object, (typeof rules)[number]];
    expect(await store().update(stored.uuid, () => ({ pipeline_routing_rules: [night] }))).toBeNull();
    expect((await store().byUuid(stored.uuid))?.pipeline_routing_rules).toEqual([night]);
    expect(await named()).toEqual([`${stored.uuid} ${second}`]);
    await store().delete(stored.uuid);
    expect(await named()).toEqual([]);
  });

  it('takes no rule for a pipeline that is not there, and tells which those are', async () => {
    const known = await createPipeline('Known');
    const [one, other] = [newUuid(), newUuid()];
    const rules = [known, one, other, one].map((pipeline_uuid) => ({ pipeline_uuid, mentioned: true }));
    const refusal = { reason: 'unknown_pipelines', pipelines: [one, other] };
    expect(await store().create(bot({ pipeline_routing_rules: rules }))).toEqual(refusal);
    const stored = bot({ pipeline_routing_rules: [{ pipeline_uuid: known, mentioned: false }] });
    await store().create(stored);
    const change = { name: 'New', pipeline_routing_rules: rules };
    expect(await store().update(stored.uuid, () => change)).toEqual(refusal);
    expect(await store().stored()).toEqual([{ ...stored, use_pipeline_name: null }]);
    expect(await named()).toEqual([`${stored.uuid} ${known}`]);
  });

  it('never refers to a pipeline that is being deleted, and prevents the deletion of one in use', async () => {
    const pipelines = new KyselyPipelineStore(storage().database, storage().engine);
    const stored = bot();
    await store().create(stored);
    for (let round = 0; round < 5; round += 1) {
      const pipeline_uuid = await createPipeline('Short-lived');
      const pipeline_routing_rules = [{ pipeline_uuid, mentioned: true }];
      const [written, deleted] = await Promise.all([
        store().update(stored.uuid, () => ({ pipeline_routing_rules })),
        pipelines.delete(pipeline_uuid),
      ]);
      if (written === null) {
        expect(deleted).toEqual({ reason: 'in_use', bots: [{ uuid: stored.uuid, name: stored.name }] });
        await store().update(stored.uuid, () => ({ pipeline_routing_rules: [] }));
        expect(await pipelines.delete(pipeline_uuid)).toBeNull();
      } else {
        expect([written, deleted]).toEqual([{ reason: 'unknown_pipelines', pipelines: [pipeline_uuid] }, null]);
      }
    }
    expect(await named()).toEqual([]);
  });

  it('lists by age', async () => {
    await store().create(bot({ name: 'younger', created_at: timestamp(2) }));
    await store().create(bot({ name: 'older', created_at: timestamp(1) }));
    expect((await store().list()).map(({ name }) => name)).toEqual(['older', 'younger']);
  });

  it('enforces the bot limit under concurrent requests', async () => {
    await store().create(bot());
    const made = await Promise.all(Array.from({ length: 10 }, () => store().create(bot(), 4)));
    expect(made.filter((refusal) => refusal === null)).toHaveLength(3);
    expect(made.filter((refusal) => refusal !== null)).toEqual(Array(7).fill({ reason: 'limit_reached' }));
    expect(await store().list()).toHaveLength(4);
    expect(await store().create(bot())).toBeNull();
    expect(await store().create(bot(), 0)).toEqual({ reason: 'limit_reached' });
  });

  it('updates the given fields of the stored bot', async () => {
    const stored = bot();
    const other = bot({ name: 'Other' });
    for (const each of [stored, other]) await store().create(each);
    const seen: StoredBot[] = [];
    const refusal = await store().update(stored.uuid, (before) => {
      seen.push(before);
      return { name: 'New', enable: false, adapter_config: { a: 1 }, sealed_secrets: null, updated_at: timestamp(2) };
    });
    expect([refusal, seen]).toEqual([null, [{ ...stored, use_pipeline_name: null }]]);
    expect(await store().storedByUuid(stored.uuid)).toEqual({
      ...stored,
      name: 'New',
      enable: false,
      adapter_config: { a: 1 },
      sealed_secrets: null,
      updated_at: timestamp(2),
      use_pipeline_name: null,
    });
    expect(await store().byUuid(other.uuid)).toMatchObject({ name: 'Other', enable: true });
    expect(await store().update(newUuid(), () => ({ name: 'New' }))).toEqual({ reason: 'not_found' });
  });

  it('changes nothing when the change is refused', async () => {
    const stored = bot();
    await store().create(stored);
    const refused = store().update(stored.uuid, () => {
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    expect(await store().storedByUuid(stored.uuid)).toEqual({ ...stored, use_pipeline_name: null });
  });

  it('loses none of many changes at once', async () => {
    const stored = bot({ adapter_config: { list: [] } });
    await store().create(stored);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        store().update(stored.uuid, ({ adapter_config: { list } }) => ({
          adapter_config: { list: [...(list as number[]), index] },
        })),
      ),
    );
    const list = (await store().byUuid(stored.uuid))?.adapter_config.list as number[];
    expect(list.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('deletes once', async () => {
    const stored = bot();
    await store().create(stored);
    expect(await store().delete(stored.uuid)).toBe(true);
    expect(await store().delete(stored.uuid)).toBe(false);
    expect(await store().byUuid(stored.uuid)).toBeNull();
  });
});
