import { afterAll, expect, it } from 'vitest';
import { openChat } from '../../../../test/end-to-end/api-client.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService();
const bearer = service.account.token;

afterAll(() => service.stop());

const basic = async () => (await service.request({ url: '/api/v1/stats/basic', bearer })).body;

it('counts what really happened', async () => {
  expect(await basic()).toEqual({
    code: 0,
    msg: 'ok',
    data: { active_session_count: 0, conversation_count: 0, query_count: 0 },
  });
  const { pipelines } = (await service.request({ url: '/api/v1/pipelines', bearer })).body.data;
  const chat = await openChat(service.address, {
    pipeline: pipelines[0].uuid,
    headers: { authorization: `Bearer ${bearer}` },
  });
  chat.say('Hello');
  await chat.answer();
  expect((await basic()).data).toEqual({ active_session_count: 1, conversation_count: 1, query_count: 1 });
  await service.request({ method: 'POST', url: `/api/v1/pipelines/${pipelines[0].uuid}/ws/reset/person`, bearer });
  expect((await basic()).data).toEqual({ active_session_count: 1, conversation_count: 0, query_count: 1 });
  await chat.close();
});
