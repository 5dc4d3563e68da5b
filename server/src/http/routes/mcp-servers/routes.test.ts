import { afterAll, expect, it } from 'vitest';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService({ listen: false });
const bearer = service.account.token;
const url = '/api/v1/mcp/servers';

afterAll(() => service.stop());

it('lists none', async () => {
  expect((await service.request({ url, bearer })).body).toEqual({ code: 0, msg: 'ok', data: { servers: [] } });
});

it('knows none by name', async () => {
  const answer = await service.request({ url: `${url}/files`, bearer });
  expect(answer.status).toBe(404);
  expect(answer.body).toMatchObject({ code: -1, msg: 'Server not found', reason: 'not_found' });
});

it.each([
  ['POST', url, 405],
  ['PUT', `${url}/files`, 405],
  ['DELETE', `${url}/files`, 405],
  ['POST', `${url}/_/test`, 404],
])('has no %s of %s', async (method, path, status) => {
  const answer = await service.request({ method, url: path, bearer });
  expect([answer.status, answer.body.code]).toEqual([status, -1]);
});
