import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { modelName } from '../factories/model-api.ts';
import { type TestReplicas, testReplicas } from '../factories/start-replicas.ts';
import type { TestService } from '../factories/start-test-service.ts';

let replicas: TestReplicas;
let services: TestService[];
let clients: OpenAI[];
beforeAll(async () => {
  replicas = await testReplicas();
  services = [await replicas.start(), await replicas.start()];
  await replicas.met();
  const { key } = (await services[0]?.createApiKey(['send'])) ?? { key: '' };
  clients = services.map(({ address }) => new OpenAI({ apiKey: key, baseURL: `${address}/v1`, maxRetries: 0 }));
}, 60_000);
afterAll(() => replicas?.stop());

const ask = (at: number, input: string, previous_response_id?: string) =>
  (clients[at] as OpenAI).responses.create({
    model: modelName,
    input,
    ...(previous_response_id && { previous_response_id }),
  });

const conversationOf = async (id: string) => {
  const [first] = services as [TestService];
  const rows = await first.database
    .selectFrom('messages')
    .select('conversation_uuid')
    .where('uuid', '=', id.replace('resp_', ''))
    .execute();
  return rows[0]?.conversation_uuid;
};

it('of two requests that continue one response at two replicas, one is in its conversation and one beside it', async () => {
  let { id: previous } = await ask(0, 'Begin');
  const conversation = await conversationOf(previous);
  for (let round = 0; round < 3; round += 1) {
    const both = await Promise.all([0, 1].map((at) => ask(at, `Round ${round} at ${at}`, previous)));
    for (const [at, { output_text }] of both.entries()) expect(output_text).toContain(`Round ${round} at ${at}`);
    const found = await Promise.all(both.map(({ id }) => conversationOf(id)));
    expect(found.filter((one) => one === conversation)).toHaveLength(1);
    previous = both[found.indexOf(conversation)]?.id ?? '';
  }
  // One that comes while the other is answered, elsewhere, is beside it as well.
  const first = ask(0, 'Early', previous);
  await expect.poll(() => stored('Early')).toBe(1);
  const late = await ask(1, 'Late', previous);
  expect(await conversationOf((await first).id)).toBe(conversation);
  expect(await conversationOf(late.id)).not.toBe(conversation);

  const [{ database }] = services as [TestService];
  const said = await database
    .selectFrom('messages')
    .select('direction')
    .where('conversation_uuid', '=', conversation ?? '')
    .orderBy('sequence')
    .execute();
  expect(said.map(({ direction }) => direction)).toEqual(Array(5).fill(['inbound', 'outbound']).flat());
}, 60_000);

it('a response can be continued in its conversation after a request for it failed', async () => {
  const { id: previous } = await ask(0, 'Begin');
  const leave = new AbortController();
  const left = (clients[0] as OpenAI).responses.create(
    { model: modelName, input: 'Left', previous_response_id: previous },
    { signal: leave.signal },
  );
  const failure = expect(left).rejects.toThrow();
  await expect.poll(() => stored('Left')).toBe(1);
  leave.abort();
  await failure;
  await expect.poll(() => stored('Left', 'stopped'), { timeout: 10_000 }).toBe(1);
  const next = await ask(1, 'Next', previous);
  expect(await conversationOf(next.id)).toBe(await conversationOf(previous));
}, 60_000);

const stored = async (text: string, state?: 'stopped'): Promise<number> => {
  const [{ database }] = services as [TestService];
  let query = database.selectFrom('messages').select('uuid').where('text', '=', text);
  if (state !== undefined) query = query.where('state', '!=', 'received').where('state', '!=', 'processing');
  return (await query.execute()).length;
};
