import { ParleyError } from '@parley/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { newUuid } from '../../src/lib/uuid.ts';
import { createFakePlatform, type FakeAdapter, type FakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../factories/start-test-service.ts';
import { messageEvent } from '../stores/ledger-records.ts';

/** The model that comes with a first start takes its time. */
const slow = { timeout: 10_000 };
const lost = { state: 'reconnecting', reason: 'platform_failed', message: 'The line is cut' } as const;

describe('bots on a platform', () => {
  const running: TestService[] = [];
  afterEach(async () => {
    for (const service of running.splice(0)) await service.stop();
  });
  const start = async (fake: FakePlatform, options: TestServiceOptions = {}) => {
    const service = await startTestService({ extensions: { platforms: [fake.platform] }, ...options });
    running.push(service);
    return service;
  };
  const bots = async (service: TestService, method: string, path = '', json?: object) =>
    (
      await service.request({
        method,
        url: `/api/v1/platform/bots${path}`,
        bearer: service.account.token,
        ...(json === undefined ? {} : { json }),
      })
    ).body.data;
  const create = async (service: TestService): Promise<string> => {
    const bot = { name: 'Bot', adapter: 'fake', adapter_config: {}, enable: true };
    return (await bots(service, 'POST', '', bot)).uuid;
  };
  const stateOf = async (service: TestService, text: string) => {
    const row = await service.database
      .selectFrom('messages')
      .select(['state', 'reason'])
      .where('text', '=', text)
      .where('direction', '=', 'inbound')
      .executeTakeFirst();
    return row === undefined ? null : [row.state, row.reason];
  };
  const last = (fake: FakePlatform) => fake.adapters.at(-1) as FakeAdapter;

  it('answer there', async () => {
    const fake = createFakePlatform();
    const service = await start(fake);
    const uuid = await create(service);
    await last(fake).context.receive(messageEvent('Hello', { session_id: 'ada' }));
    await expect.poll(() => fake.sent.length, slow).toBe(1);
    expect(fake.sent[0]).toMatchObject({ target: { session_type: 'person', session_id: 'ada' } });
    const { logs } = await bots(service, 'POST', `/${uuid}/logs`);
    expect(logs.map(({ text }: { text: string }) => text)).toEqual(['Connecting', 'Connected', 'Hello']);
  });

  it('leave what they receive waiting until they are connected', async () => {
    const fake = createFakePlatform();
    const uuid = newUuid();
    const service = await start(fake, { bots: [{ adapter: 'fake', uuid }] });
    const { pipelines } = (await service.request({ url: '/api/v1/pipelines', bearer: service.account.token })).body
      .data;
    await bots(service, 'PUT', `/${uuid}`, { use_pipeline_uuid: pipelines[0].uuid });
    const { context } = last(fake);
    context.reportConnection(lost);
    const event = (text: string, session_id: string) => messageEvent(text, { session_id });
    await context.receive(event('one', 'ada'));
    await context.receive(event('two', 'ada'));
    // Another user is answered meanwhile.
    await create(service);
    await last(fake).context.receive(event('other', 'bob'));
    await expect.poll(() => fake.sent.length, slow).toBe(1);
    expect([await stateOf(service, 'one'), await stateOf(service, 'two')]).toEqual([
      ['received', null],
      ['received', null],
    ]);
    context.reportConnection({ state: 'connected' });
    await expect.poll(() => fake.sent.length, slow).toBe(3);
    expect(fake.sent.map(({ target }) => target.session_id)).toEqual(['bob', 'ada', 'ada']);
    await expect.poll(() => stateOf(service, 'two'), slow).toEqual(['answered', 'answered']);
  });

  it('end what waits for them when they are switched off or removed', async () => {
    const fake = createFakePlatform();
    const service = await start(fake);
    const off = await create(service);
    last(fake).context.reportConnection(lost);
    await last(fake).context.receive(messageEvent('to one that is switched off'));
    const gone = await create(service);
    last(fake).context.reportConnection(lost);
    await last(fake).context.receive(messageEvent('to one that is removed'));
    await bots(service, 'PUT', `/${off}`, { enable: false });
    await expect.poll(() => stateOf(service, 'to one that is switched off')).toEqual(['stopped', 'bot_disabled']);
    expect(await stateOf(service, 'to one that is removed')).toEqual(['received', null]);
    await bots(service, 'DELETE', `/${gone}`);
    await expect.poll(() => stateOf(service, 'to one that is removed')).toEqual(['stopped', 'not_found']);
  });

  it('do not hold up start and stop while their platform does not answer', async () => {
    const fake = createFakePlatform();
    const uuid = newUuid();
    const service = await start(fake, { bots: [{ adapter: 'fake', uuid }] });
    fake.start = () => new Promise(() => undefined);
    await service.stop();
    running.length = 0;
    const again = await start(fake, { bots: [{ adapter: 'fake', uuid }] });
    expect((await fetch(`${again.address}/readyz`)).status).toBe(200);
    expect((await bots(again, 'GET', `/${uuid}`)).bot.adapter_runtime_values).toMatchObject({ state: 'starting' });
    expect(last(fake).state).toBe('starting');
    await again.stop();
    running.length = 0;
    expect(last(fake).state).toBe('stopped');
  });

  it('tell the operator what could not be delivered', async () => {
    const fake = createFakePlatform();
    const service = await start(fake);
    const uuid = await create(service);
    fake.refuse = () => {
      throw new ParleyError('window_closed', 'Too late');
    };
    await last(fake).context.receive(messageEvent('ai Hello', { session_type: 'group', session_id: 'room' }));
    await expect.poll(() => stateOf(service, 'ai Hello'), slow).toEqual(['failed', 'window_closed']);
    const { logs } = await bots(service, 'POST', `/${uuid}/logs`);
    expect(logs.at(-1)).toMatchObject({
      level: 'error',
      text: 'A message was not delivered: Too late',
      message_session_id: 'group_room',
    });
  });
});
