import { afterAll, expect, it } from 'vitest';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService({ account: false, listen: false });

afterAll(() => service.stop());

it('tells everybody about the server, as clients of the reference system expect it', async () => {
  const answer = await service.request({ url: '/api/v1/system/info' });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    code: 0,
    msg: 'ok',
    data: {
      version: 'v4.9.5',
      debug: false,
      edition: 'community',
      enable_marketplace: false,
      cloud_service_url: expect.stringMatching(/^https:\/\/.+/),
      allow_modify_login_info: true,
      disable_models_service: true,
      limitation: { max_bots: -1, max_pipelines: -1, max_extensions: -1 },
      wizard_status: 'none',
      wizard_progress: null,
    },
  });
});

it('does not mind a bad credential', async () => {
  expect((await service.request({ url: '/api/v1/system/info', bearer: 'not a token', apiKey: 'lbk_x' })).status).toBe(
    200,
  );
});

it('tells what is stored about the wizard', async () => {
  await service.database
    .insertInto('metadata')
    .values([
      { key: 'wizard_status', value: 'completed' },
      { key: 'wizard_progress', value: '{"step":2}' },
    ])
    .execute();
  const { data } = (await service.request({ url: '/api/v1/system/info' })).body;
  expect(data).toMatchObject({ wizard_status: 'completed', wizard_progress: { step: 2 } });
});

it('tells how many records of a kind there may be', async () => {
  const limited = await startTestService({
    config: { maxBots: 3, maxPipelines: 0, maxExtensions: 7 },
    account: false,
    listen: false,
  });
  const { data } = (await limited.request({ url: '/api/v1/system/info' })).body;
  await limited.stop();
  expect(data.limitation).toEqual({ max_bots: 3, max_pipelines: 0, max_extensions: 7 });
});
