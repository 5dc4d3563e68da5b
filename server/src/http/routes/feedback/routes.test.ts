import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createFakePlatform, type FakeAdapter } from '../../../../test/factories/fake-platform.ts';
import { writeMonitoredLedger } from '../../../../test/factories/monitored-ledger.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';
import { messageEvent } from '../../../../test/stores/ledger-records.ts';
import { newUuid } from '../../../lib/uuid.ts';

describe('POST /api/v1/messages/:message_uuid/feedback', async () => {
  const service = await startTestService({ listen: false });
  const bearer = service.account.token;
  const bot = await service.createBot({ adapter: 'websocket', name: 'Helper' });
  const ledger = await writeMonitoredLedger(service.database, { bot_uuid: bot, pipeline_uuid: newUuid() });
  afterAll(() => service.stop());

  const give = (json: unknown, over: { message?: string; apiKey?: string } = {}) =>
    service.request({
      method: 'POST',
      url: `/api/v1/messages/${over.message ?? ledger.answer}/feedback`,
      json,
      ...(over.apiKey === undefined ? { bearer } : { apiKey: over.apiKey }),
    });
  const all = async () =>
    (await service.request({ url: '/api/v1/monitoring/feedback', bearer })).body.data.feedback as Record<
      string,
      unknown
    >[];

  it('keeps the newest of what one caller says of a message', async () => {
    expect((await give({ feedback_type: 1 })).body.data.feedback).toMatchObject({
      feedback_type: 1,
      message_uuid: ledger.answer,
      bot_uuid: bot,
      session_id: 'person_ada',
      user_id: 'ada',
      platform: 'websocket',
      inaccurate_reasons: null,
    });
    const again = { feedback_type: 2, feedback_content: 'It is three', inaccurate_reasons: ['wrong', 'short'] };
    expect((await give(again)).status).toBe(200);
    expect(await all()).toMatchObject([
      { feedback_type: 2, feedback_content: 'It is three', inaccurate_reasons: '["wrong","short"]' },
    ]);
    const { key } = await service.createApiKey(['write']);
    expect((await give({ feedback_type: 1 }, { apiKey: key })).status).toBe(200);
    expect(await all()).toHaveLength(2);
    expect((await give({ feedback_type: 1 }, { message: ledger.question })).status).toBe(200);
    expect(await all()).toHaveLength(3);
    const ofOne = await service.request({
      url: `/api/v1/monitoring/feedback?messageId=${ledger.question.toUpperCase()}`,
      bearer,
    });
    expect(ofOne.body.data).toMatchObject({ total: 1, feedback: [{ message_id: ledger.question }] });
  });

  const own = async (uuids: string, over: object = { bearer }) =>
    service.request({ url: `/api/v1/messages/feedback?message_uuids=${uuids}`, ...over });

  it('is there again for the caller who gave it', async () => {
    await give({ feedback_type: 2 });
    await give({ feedback_type: 1 }, { message: ledger.question });
    const both = [
      { message_uuid: ledger.answer, feedback_type: 2 },
      { message_uuid: ledger.question, feedback_type: 1 },
    ];
    const asked = `${ledger.answer.toUpperCase()},${ledger.question},${ledger.answer},${newUuid()}`;
    const { feedback } = (await own(asked)).body.data;
    expect(feedback).toHaveLength(2);
    expect(feedback).toEqual(expect.arrayContaining(both));
    const { key } = await service.createApiKey(['read']);
    expect((await own(ledger.answer, { apiKey: key })).body.data.feedback).toEqual([]);
  });

  it('is not looked for where that is not asked well', async () => {
    const uuid = newUuid();
    for (const bad of ['', 'x', `${uuid},`, `${uuid};${uuid}`, Array(101).fill(uuid).join(',')]) {
      expect((await own(bad)).status, bad).toBe(400);
    }
    expect((await own(Array(100).fill(uuid).join(','))).body.data.feedback).toEqual([]);
  });

  it.each([
    {},
    { feedback_type: 3 },
    { feedback_type: '1' },
    { feedback_type: 1, stars: 5 },
    { feedback_type: 1, feedback_content: 'x'.repeat(10_001) },
    { feedback_type: 1, inaccurate_reasons: 'wrong' },
    { feedback_type: 1, inaccurate_reasons: [''] },
    { feedback_type: 1, inaccurate_reasons: Array(101).fill('x') },
    [],
    null,
  ])('refuses %j', async (json) => {
    expect((await give(json)).status).toBe(400);
  });

  it('knows only messages that there are', async () => {
    for (const message of [newUuid(), 'me']) {
      expect((await give({ feedback_type: 1 }, { message })).body.reason).toBe('not_found');
    }
  });

  it('needs the scope to write', async () => {
    const { key } = await service.createApiKey(['read', 'send']);
    expect((await give({ feedback_type: 1 }, { apiKey: key })).body.reason).toBe('scope_required');
  });
});

describe('feedback of a platform', () => {
  const fake = createFakePlatform();
  let bot: string;
  let service: Awaited<ReturnType<typeof startTestService>>;
  beforeAll(async () => {
    service = await startTestService({ extensions: { platforms: [fake.platform] } });
    const made = await service.request({
      method: 'POST',
      url: '/api/v1/platform/bots',
      bearer: service.account.token,
      json: { name: 'Bot', adapter: 'fake', adapter_config: {}, enable: true },
    });
    bot = made.body.data.uuid;
  });
  afterAll(() => service.stop());
  afterEach(() => service.database.deleteFrom('feedbacks').execute());

  const adapter = () => fake.up().at(-1) as FakeAdapter;
  const receive = (event: Record<string, unknown>) => adapter().context.receiveFeedback?.(event as never);
  const all = async () =>
    (await service.request({ url: `/api/v1/monitoring/feedback?botId=${bot}`, bearer: service.account.token })).body
      .data.feedback;

  it("is stored with the message of the platform's id", async () => {
    await adapter().context.receive(messageEvent('Hello', { session_id: 'ada', platform_message_id: 'question-1' }));
    // The model that comes with a first start takes its time.
    await expect.poll(() => fake.sent.length, { timeout: 10_000 }).toBe(1);
    const { uuid } = await service.database
      .selectFrom('messages')
      .select('uuid')
      .where('direction', '=', 'outbound')
      .executeTakeFirstOrThrow();
    await expect
      .poll(() => service.database.selectFrom('deliveries').select('platform_message_id').executeTakeFirst())
      .toEqual({ platform_message_id: 'sent-1' });
    const said = { feedback_id: 'f-1', feedback_type: 2, feedback_content: 'No', inaccurate_reasons: ['late'] };
    const session = { session_type: 'person', session_id: 'ada', user_id: 'ada', stream_id: 's-1' };
    await receive({ ...said, ...session, message_id: 'sent-1' });
    const [feedback] = await all();
    expect(feedback).toMatchObject({
      feedback_id: 'f-1',
      feedback_type: 2,
      feedback_content: 'No',
      inaccurate_reasons: '["late"]',
      bot_id: bot,
      session_id: 'person_ada',
      message_id: uuid,
      stream_id: 's-1',
      user_id: 'ada',
      platform: 'fake',
    });
    await receive({ feedback_id: 'f-1', feedback_type: 1, message_id: 'question-1' });
    const changed = await all();
    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatchObject({ feedback_type: 1, session_id: 'person_ada', user_id: 'ada', id: feedback.id });
    expect(changed[0].message_id).not.toBe(uuid);
  });

  it('is stored for an unknown message', async () => {
    await receive({ feedback_id: 'f-2', feedback_type: 1, message_id: 'another' });
    await receive({
      feedback_id: 'f-3',
      feedback_type: 1,
      message_id: 'another',
      session_type: 'group',
      session_id: 'g',
    });
    expect(await all()).toMatchObject([
      { feedback_id: 'f-3', message_id: 'another', session_id: 'group_g' },
      { feedback_id: 'f-2', message_id: 'another', session_id: null, user_id: null },
    ]);
  });

  it.each([{ feedback_type: 1 }, { feedback_id: '', feedback_type: 1 }, { feedback_id: 'x', feedback_type: 0 }])(
    'is refused when it is none: %j',
    async (event) => {
      await expect(receive(event)).rejects.toMatchObject({ reason: 'invalid_request' });
      expect(await all()).toEqual([]);
    },
  );

  it('is not taken from a connection that is over', async () => {
    const former = adapter();
    await service.request({
      method: 'PUT',
      url: `/api/v1/platform/bots/${bot}`,
      bearer: service.account.token,
      json: { enable: false },
    });
    await expect(former.context.receiveFeedback?.({ feedback_id: 'late', feedback_type: 1 })).rejects.toMatchObject({
      reason: 'bot_not_running',
    });
  });
});
