import { afterAll, describe, expect, it } from 'vitest';
import type { Account } from '../../src/core/accounts/account.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import { openChat } from '../end-to-end/api-client.ts';
import { startTestService } from '../factories/start-test-service.ts';

const service = await startTestService();
afterAll(() => service.stop());

const bearer = service.account.token;
const [pipeline] = (await service.request({ url: '/api/v1/pipelines', bearer })).body.data.pipelines;

/** Another account with the same password. @returns its token */
async function join(user: string): Promise<string> {
  const [first] = await service.database.selectFrom('accounts').selectAll().execute();
  await service.database
    .insertInto('accounts')
    .values({ ...(first as Account), uuid: newUuid(), user })
    .execute();
  const json = { user, password: service.account.password };
  return (await service.request({ method: 'POST', url: '/api/v1/user/auth', json })).body.data.token;
}
const bob = await join('bob@example.com');

describe('what belongs to one account', () => {
  it('its sessions are neither listed nor ended by another', async () => {
    const list = async (by: string) =>
      (await service.request({ url: '/api/v1/user/sessions', bearer: by })).body.data.sessions;
    const [own] = await list(bearer);
    expect((await list(bob)).map(({ uuid }: { uuid: string }) => uuid)).not.toContain(own.uuid);
    const url = `/api/v1/user/sessions/${own.uuid}`;
    expect((await service.request({ method: 'DELETE', url, bearer: bob })).status).toBe(404);
    await service.request({ method: 'DELETE', url: '/api/v1/user/sessions', bearer: bob });
    expect((await service.request({ url: '/api/v1/user/info', bearer })).status).toBe(200);
  });

  it('its web chat is its own, whoever another one says to be', async () => {
    const chat = await openChat(service.address, {
      pipeline: pipeline.uuid,
      headers: { authorization: `Bearer ${bearer}` },
    });
    chat.say('A secret of the first account');
    await chat.answer();
    await chat.close();
    const { key } = await service.createApiKey();
    const path = `/api/v1/pipelines/${pipeline.uuid}/ws/messages/person`;
    const [first] = await service.database
      .selectFrom('accounts')
      .select('uuid')
      .where('user', '=', service.account.user)
      .execute();
    const claims = `?person_id=${first?.uuid}&user=${first?.uuid}&username=${service.account.user}&session_id=${first?.uuid}`;
    for (const credential of [{ bearer: bob }, { apiKey: key }]) {
      for (const query of ['', claims]) {
        const read = await service.request({ url: path + query, ...credential });
        expect(read.text).not.toContain('A secret of the first account');
      }
    }
    expect((await service.request({ url: path, bearer })).text).toContain('A secret of the first account');
  });

  it('its named requests are not answered to another', async () => {
    const headers = { 'idempotency-key': 'one-name' };
    const post = (by: string, name: string) =>
      service.request({ method: 'POST', url: '/api/v1/pipelines', bearer: by, headers, json: { name } });
    const first = await post(bearer, 'First');
    const second = await post(bob, 'First');
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers['idempotency-replayed']).toBeUndefined();
    expect(second.body.data.uuid).not.toBe(first.body.data.uuid);
  });
});

describe('what an API key asks of the model API', () => {
  it('goes on from no answer of another key, and not in its name', async () => {
    const [mine, theirs] = [await service.createApiKey(['send']), await service.createApiKey(['send'])];
    const ask = (apiKey: string, more: object) =>
      service.request({
        method: 'POST',
        url: '/v1/responses',
        apiKey,
        json: { model: pipeline.name, input: 'Hi', ...more },
      });
    const first = await ask(mine.key, { user: 'ada' });
    expect(first.status).toBe(200);
    const followed = await ask(theirs.key, { previous_response_id: first.body.id, user: 'ada' });
    expect(followed.status).toBe(404);
  });
});
