import { DeliveryError, type Runner } from '@parley/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakePlatform, type FakePlatform } from '../factories/fake-platform.ts';
import { type TestReplicas, testReplicas } from '../factories/start-replicas.ts';
import type { TestService } from '../factories/start-test-service.ts';
import { messageEvent } from '../stores/ledger-records.ts';
import { type Chat, openChat } from './api-client.ts';

/** Writes until it is cancelled. */
const endless: Runner = {
  name: 'endless',
  label: { en_US: 'Endless' },
  async *answer({ signal }) {
    yield { type: 'text', text: 'Well' };
    signal.throwIfAborted();
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  },
};

const secret = 'a token that a sign-in obtained';

/** A platform whose sign-in succeeds at once. */
function signingIn(): FakePlatform {
  const fake = createFakePlatform();
  const { platform } = fake;
  platform.login = { label: { en_US: 'Sign in' }, description: { en_US: 'Signs in' } };
  const load = platform.load;
  platform.load = async () => {
    const implementation = await load();
    implementation.login = async function* () {
      yield { state: 'done', config: { token: secret }, account: { id: '5', name: '@parrot' } };
    };
    return implementation;
  };
  return fake;
}

const patience = { timeout: 20_000, interval: 20 };

describe.each([
  ['with an address for one another', '127.0.0.1:0', 1000],
  ['that cannot reach one another', null, 3000],
])('of two replicas %s, the one that is asked', (_, replicaAddress, longest) => {
  let replicas: TestReplicas;
  let services: TestService[];
  let fakes: FakePlatform[];
  let pipeline: string;
  const chats: Chat[] = [];
  beforeAll(async () => {
    replicas = await testReplicas();
    fakes = [signingIn(), signingIn()];
    services = [];
    for (const { platform } of fakes) {
      services.push(
        await replicas.start({
          config: { replicaAddress },
          extensions: { platforms: [platform], runners: [endless] },
        }),
      );
    }
    await replicas.met();
    const made = await ask(0, 'POST', '/api/v1/pipelines', {
      name: 'Endless',
      config: { ai: { runner: { runner: 'endless' } } },
    });
    pipeline = made.body.data.uuid;
  }, 60_000);
  afterAll(async () => {
    await Promise.all(chats.map((chat) => chat.close()));
    await replicas?.stop();
  });

  const token = () => services[0]?.account.token as string;
  const ask = (at: number, method: string, url: string, json?: unknown) =>
    (services[at] as TestService).request({ method, url, bearer: token(), ...(json === undefined ? {} : { json }) });
  const open = async (at: number, conversation: string) => {
    const headers = { authorization: `Bearer ${token()}` };
    const chat = await openChat((services[at] as TestService).address, { pipeline, conversation, headers });
    chats.push(chat);
    return chat;
  };
  /** Resolves when a message has ended. @returns its reason */
  const ended = async (text: string) => {
    const find = async () =>
      services[0]?.database
        .selectFrom('messages')
        .select(['state', 'reason'])
        .where('text', '=', text)
        .executeTakeFirst();
    await expect.poll(async () => (await find())?.state, patience).toBe('stopped');
    return (await find())?.reason;
  };

  it.each(['!cancel', 'stop'])(
    'ends what the other one answers, by %s',
    async (what) => {
      const [here, there] = [await open(0, what.slice(1)), await open(1, what.slice(1))];
      const question = `A question for ${what}`;
      here.say(question);
      await here.frame(({ type, data }) => type === 'response' && !data.is_final);
      const begun = performance.now();
      if (what === 'stop') there.send({ type: 'stop' });
      else there.say(what);
      expect(await ended(question)).toBe('answer_stopped');
      expect(performance.now() - begun).toBeLessThan(longest);
    },
    30_000,
  );

  it('has the replica that holds the bot send, and send again', async () => {
    const form = { name: 'Bot', adapter: 'fake', adapter_config: {}, enable: true };
    const bot = (await ask(0, 'POST', '/api/v1/platform/bots', form)).body.data.uuid as string;
    const holds = (fake: FakePlatform) => fake.up().some(({ context }) => context.bot_uuid === bot);
    await expect.poll(() => fakes.filter(holds).length, patience).toBe(1);
    const holder = fakes.findIndex(holds);
    const other = 1 - holder;
    const [fake] = fakes.filter(holds) as [FakePlatform];
    const knows = async () =>
      (await ask(other, 'GET', `/api/v1/platform/bots/${bot}`)).body.data.bot.adapter_runtime_values.state;
    await expect.poll(knows, patience).toBe('running');

    fake.refuse = () => {
      throw new DeliveryError('refused', 'forbidden', 'Not now');
    };
    await fake.up().at(-1)?.context.receive(messageEvent('!help'));
    const failed = async () =>
      await services[0]?.database
        .selectFrom('messages')
        .innerJoin('deliveries', 'deliveries.message_uuid', 'messages.uuid')
        .select(['uuid', 'deliveries.state'])
        .where('bot_uuid', '=', bot)
        .executeTakeFirst();
    await expect.poll(async () => (await failed())?.state, patience).toBe('failed');
    fake.refuse = () => undefined;
    const retried = await ask(other, 'POST', `/api/v1/messages/${(await failed())?.uuid}/deliveries/0/retry`);
    const message_chain = [{ type: 'Plain', text: 'News' }];
    const news = { target_type: 'person', target_id: 'ada', message_chain };
    const sent = await ask(other, 'POST', `/api/v1/platform/bots/${bot}/send_message`, news);
    if (replicaAddress === null) {
      for (const { status, headers, body } of [retried, sent]) {
        expect(status).toBe(503);
        expect(headers['retry-after']).toBeDefined();
        expect(body.problem.code).toBe('replica_unreachable');
      }
      expect(fakes.map(({ sent }) => sent.length)).toEqual([0, 0]);
      return;
    }
    expect([retried.status, sent.status]).toEqual([200, 200]);
    await expect.poll(() => fake.sent.length, patience).toBe(2);
    expect(fakes[other]?.sent).toEqual([]);
  }, 60_000);

  it('shows, uses and cancels the sign-ins of the other one', async () => {
    const path = '/api/v1/platform/adapters/fake/login';
    const start = async () => (await ask(0, 'POST', path, { adapter_config: {} })).body.data.id as string;
    const id = await start();
    const state = async (at: number, login = id) => (await ask(at, 'GET', `${path}/${login}`)).body.data?.state;
    await expect.poll(() => state(0), patience).toBe('done');
    const shown = await ask(1, 'GET', `${path}/${id}`);
    const form = { name: 'Signed in', adapter: 'fake', enable: true, login_id: id };
    const config = { token: (await ask(0, 'GET', `${path}/${id}`)).body.data.adapter_config.token };
    const create = (login_id: string) =>
      ask(1, 'POST', '/api/v1/platform/bots', { ...form, adapter_config: config, login_id });
    const gone = `${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}.${id.split('.')[1]}`;
    expect((await ask(1, 'GET', `${path}/${gone}`)).status).toBe(404);
    expect((await create(gone)).status).toBe(400);
    if (replicaAddress === null) {
      for (const { status, headers } of [shown, await create(id)]) {
        expect([status, headers['retry-after']]).toEqual([503, expect.any(String)]);
      }
      return;
    }
    expect(shown.body.data).toMatchObject({ id, state: 'done', account_id: '5' });
    expect(shown.body.data.adapter_config.token).not.toContain(secret);
    const bot = (await create(id)).body.data.uuid as string;
    const connected = () =>
      fakes.flatMap((fake) => fake.up()).find(({ context }) => context.bot_uuid === bot)?.config.token;
    await expect.poll(connected, patience).toBe(secret);
    expect((await create(id)).status).toBe(400);
    const other = await start();
    expect((await ask(1, 'DELETE', `${path}/${other}`)).status).toBe(200);
    expect((await ask(0, 'GET', `${path}/${other}`)).status).toBe(404);
  }, 60_000);
});
