import { Address, type Runner, Secret, type Stage } from '@parley/sdk';
import Type from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AnyConfig,
  builtInExtensions,
  builtInSchema,
  pipelineServiceOptions,
} from '../../../test/factories/pipeline-schema.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { KyselyPipelineStore } from '../../storage/pipelines/kysely-pipeline-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { PipelineSchema } from './pipeline-schema.ts';
import { PipelineService } from './pipeline-service.ts';

const pluginGroup = { address: 'https://one.example/run', depth: 3, inner: { authToken: '' }, word: '' };
const plugin: Runner = {
  name: 'plugin/x',
  label: { en_US: 'Plugin' },
  config: Type.Object({
    address: Address({ default: '' }),
    'api-key': Secret({ default: '' }),
    word: Secret({ default: '' }),
    depth: Type.Integer({ default: 0 }),
    inner: Type.Object({ authToken: Secret({ default: '' }) }, { default: {} }),
  }),
  answer: () => {
    throw new Error('No message is answered here');
  },
};
const signatureStage: Stage = {
  name: 'signature',
  label: { en_US: 'Signature' },
  config: Type.Object({
    output: Type.Object({
      signature: Type.Object({ text: Type.String({ default: '' }), key: Secret({ default: '' }) }),
    }),
  }),
  answer: () => null,
};
const withRunner = new PipelineSchema({
  ...builtInExtensions,
  runners: [...builtInExtensions.runners, plugin],
  stages: [...builtInExtensions.stages, signatureStage],
});

describe('pipelines', () => {
  let storage: Storage;
  let service: PipelineService;
  let schema = builtInSchema;
  beforeEach(async () => {
    schema = builtInSchema;
    storage = await openTestStorage('sqlite');
    service = new PipelineService(
      new KyselyPipelineStore(storage.database, storage.engine),
      new SecretBox(Buffer.alloc(32, 1)),
      pipelineServiceOptions({ schema: () => schema }),
    );
  });
  afterEach(() => storage.close());

  const secret = 'app-0123456789abcdefghij';
  const configOf = async (uuid: string): Promise<AnyConfig> => structuredClone((await service.get(uuid)).config);
  const bodyOf = (config: AnyConfig) => ({ config });

  it('keep the groups of runners that are not installed, and their secrets sealed', async () => {
    const group = { ...pluginGroup, 'api-key': secret, inner: { authToken: secret } };
    const written = { ai: { runner: { runner: 'plugin/x' }, 'plugin/x': group } };
    const uuid = await service.create({ name: 'Support', config: written });
    const groupOf = (config: AnyConfig) => config.ai['plugin/x'];
    const shown = await configOf(uuid);
    expect(groupOf(shown)).toEqual({ ...group, 'api-key': 'app…ghij', inner: { authToken: 'app…ghij' } });
    expect(JSON.stringify(await storage.database.selectFrom('pipelines').selectAll().execute())).not.toContain(secret);
    const settingsOnceInstalled = async (pipelineUuid: string) => {
      schema = withRunner;
      const config = await service.configForRun(pipelineUuid);
      schema = builtInSchema;
      return config?.runner.settings;
    };
    expect((await service.configForRun(uuid))?.runner).toEqual({ name: 'plugin/x', settings: null, schema: null });
    expect(await settingsOnceInstalled(uuid)).toEqual(group);
    // Settings from a read can be written back, also by a copy, but a stored secret goes to no other address.
    await service.update(uuid, { ...bodyOf(shown), name: 'Support 2' });
    expect(await settingsOnceInstalled(uuid)).toEqual(group);
    expect(await settingsOnceInstalled(await service.copy(uuid))).toEqual(group);
    const moved = structuredClone(shown) as unknown as typeof written;
    moved.ai['plugin/x'].address = 'https://other.example/run';
    await expect(service.update(uuid, { config: moved })).rejects.toMatchObject({ reason: 'secret_required' });
  });

  it('keep the settings of removed extensions, also when a client updates the pipeline', async () => {
    schema = withRunner;
    const group = { ...pluginGroup, 'api-key': secret, word: secret };
    const signature = { text: 'Yours, Parley', key: secret };
    const written = { ai: { runner: { runner: 'plugin/x' }, 'plugin/x': group }, output: { signature } };
    const uuid = await service.create({ name: 'Support', config: written });
    schema = builtInSchema;
    // A field without a secret-like name stays a secret, too.
    const shown = await configOf(uuid);
    expect(shown.output.signature).toEqual({ text: 'Yours, Parley', key: 'app…ghij' });
    await service.update(uuid, { ...bodyOf(shown), name: 'As it is shown' });
    await service.update(uuid, { config: { output: { misc: { 'failure-hint': 'Sorry' } } } });
    await service.update(uuid, { config: { ai: { runner: { runner: 'plugin/x' } } } });
    await expect(service.update(uuid, { config: { output: { misspelled: {} } } })).rejects.toMatchObject({
      details: [{ path: 'config.output.misspelled' }],
    });
    expect(JSON.stringify(await storage.database.selectFrom('pipelines').selectAll().execute())).not.toContain(secret);
    schema = withRunner;
    const config = await service.configForRun(uuid);
    expect(config?.runner.settings).toEqual(group);
    expect(config?.stages.get('signature')).toEqual({ output: { signature } });
  });
});
