import { afterAll, expect, it } from 'vitest';
import { startTestService } from '../factories/start-test-service.ts';
import { ReferenceClient } from './reference-client.ts';

const service = await startTestService({ listen: false });
const client = new ReferenceClient(service);
const list = '/api/v1/webhooks';
const form = { name: 'Hook', url: 'https://example.com/hook', description: '', enabled: true };

afterAll(() => service.stop());

const only = async () => (await client.get(list)).webhooks[0];

it('POST /api/v1/webhooks: makes one for an http or https address', async () => {
  const { webhook } = await client.post(list, form);
  // In addition to the fields of the reference system there is a secret, shown in full once.
  expect(webhook).toMatchObject({
    ...form,
    secret: expect.stringMatching(/^whsec_/),
    id: expect.any(Number),
    created_at: expect.stringMatching(/Z$/),
  });
  for (const wrong of [
    { name: 'x' },
    { url: form.url },
    { ...form, url: 'ftp://example.com' },
    { ...form, url: 'x' },
  ]) {
    expect(await client.refused('POST', list, wrong)).toMatchObject({ status: 400, code: -1 });
  }
});

it('GET /api/v1/webhooks: all of them', async () => {
  const { webhooks } = await client.get(list);
  expect(webhooks).toHaveLength(1);
  expect(webhooks[0]).toMatchObject(form);
});

it('GET /api/v1/webhooks/{id}: one of them', async () => {
  const { id } = await only();
  expect((await client.get(`${list}/${id}`)).webhook).toMatchObject({ id, ...form });
  expect(await client.refused('GET', `${list}/999999`)).toMatchObject({ status: 404, msg: 'Webhook not found' });
});

it('PUT /api/v1/webhooks/{id}: any part of it; null leaves a field as it is', async () => {
  const { id } = await only();
  await client.put(`${list}/${id}`, { enabled: false, name: null });
  expect(await only()).toMatchObject({ ...form, enabled: false });
  const read = await only();
  await client.put(`${list}/${id}`, read);
  expect(await only()).toEqual({ ...read, updated_at: expect.any(String) });
  expect((await client.refused('PUT', `${list}/999999`, { enabled: true })).status).toBe(404);
});

it('DELETE /api/v1/webhooks/{id}: once', async () => {
  const { id } = await only();
  expect(await client.delete(`${list}/${id}`)).toEqual({});
  expect((await client.refused('DELETE', `${list}/${id}`)).status).toBe(404);
  expect(await client.get(list)).toEqual({ webhooks: [] });
});
