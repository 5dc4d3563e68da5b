import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import type { StoredBot } from '../../core/bots/bot.ts';
import { PipelineService } from '../../core/pipelines/pipeline-service.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyPipelineStore } from '../pipelines/kysely-pipeline-store.ts';
import { KyselyBotStore } from './kysely-bot-store.ts';

const moment = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

const bot = (over: Partial<StoredBot> = {}): Omit<StoredBot, 'use_pipeline_name'> => ({
  uuid: newUuid(),
  name: 'Bot',
  description: '',
  adapter: 'websocket',
  adapter_config: { token: '…', list: [1] },
  sealed_secrets: 'v1.sealed',
  enable: true,
  use_pipeline_uuid: null,
  created_at: moment(1),
  updated_at: moment(1),
  ...over,
});

describeOnEachEngine('the store of bots', (storage) => {
  const store = () => new KyselyBotStore(storage().database);

  it('gives a bot back as it was stored; only who asks for them gets the sealed secrets', async () => {
    const stored = bot({ enable: false });
    await store().create(stored);
    const { sealed_secrets: _, ...shown } = { ...stored, use_pipeline_name: null };
    expect(await store().byUuid(stored.uuid)).toEqual(shown);
    expect(await store().list()).toEqual([shown]);
    expect(await store().stored()).toEqual([{ ...stored, use_pipeline_name: null }]);
    expect(await store().byUuid(newUuid())).toBeNull();
  });

  it('tells the name of the pipeline that a bot is bound to', async () => {
    const pipelines = new PipelineService(new KyselyPipelineStore(storage().database), new SecretBox(Buffer.alloc(32)));
    const use_pipeline_uuid = await pipelines.create({ name: 'Support' });
    const stored = bot({ use_pipeline_uuid });
    await store().create(stored);
    expect(await store().byUuid(stored.uuid)).toMatchObject({ use_pipeline_uuid, use_pipeline_name: 'Support' });
  });

  it('binds no bot to a pipeline that is not there', async () => {
    await expect(store().create(bot({ use_pipeline_uuid: newUuid() }))).rejects.toThrow();
    expect(await store().list()).toEqual([]);
  });

  it('lists by age', async () => {
    await store().create(bot({ name: 'younger', created_at: moment(2) }));
    await store().create(bot({ name: 'older', created_at: moment(1) }));
    expect((await store().list()).map(({ name }) => name)).toEqual(['older', 'younger']);
  });
});
