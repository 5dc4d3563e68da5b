import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestRequest, type TestService } from '../factories/start-test-service.ts';

const progress = { step: 'model', adapter: 'telegram', note: 'token 123:abc' };
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ listen: false });
  const saved = await service.request({
    method: 'PUT',
    url: '/api/v1/system/wizard/progress',
    bearer: service.account.token,
    json: progress,
  });
  expect(saved.status).toBe(200);
});
afterAll(() => service.stop());

const shown = async (credential: Partial<TestRequest>) => {
  const { status, body } = await service.request({ url: '/api/v1/system/info', ...credential });
  expect(status).toBe(200);
  return body.data.wizard_progress;
};

it('the progress of the wizard is shown to no one without a credential', async () => {
  const { key, id } = await service.createApiKey(['read']);
  const send = await service.createApiKey(['send']);
  expect(await shown({ bearer: service.account.token })).toEqual(progress);
  expect(await shown({ apiKey: key })).toEqual(progress);
  await service.request({ method: 'DELETE', url: `/api/v1/apikeys/${id}`, bearer: service.account.token });
  for (const credential of [
    {},
    { bearer: 'test-token' },
    { apiKey: key },
    { apiKey: send.key },
    { headers: { cookie: service.account.cookie } },
  ]) {
    expect(await shown(credential)).toBeNull();
  }
});
