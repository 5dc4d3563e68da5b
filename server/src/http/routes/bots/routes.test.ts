import { ParleyError, type Reason } from '@parley/sdk';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { badCredentials, everyCredential } from '../../../../test/factories/every-credential.ts';
import { createFakePlatform } from '../../../../test/factories/fake-platform.ts';
import { startTestService, type TestRequest } from '../../../../test/factories/start-test-service.ts';
import { newUuid } from '../../../lib/uuid.ts';

const fake = createFakePlatform();
const [botUuid, disabledUuid, orphanUuid] = [newUuid(), newUuid(), newUuid()];
const service = await startTestService({
  extensions: { platforms: [fake.platform] },
  bots: [
    { adapter: 'fake', uuid: botUuid, name: 'Running' },
    { adapter: 'fake', uuid: disabledUuid, name: 'Disabled', enable: false },
    { adapter: 'gone', uuid: orphanUuid, name: 'Without a platform' },
  ],
});
const bearer = service.account.token;
const plain = [{ type: 'Plain', text: 'Hello' }];
const message = { target_type: 'person', target_id: 'user-1', message_chain: plain };

afterAll(() => service.stop());

beforeEach(() => {
  fake.sent.length = 0;
  fake.refuse = () => {};
});

function send(json: unknown, uuid = botUuid, part: Partial<TestRequest> = { bearer }) {
  return service.request({ method: 'POST', url: `/api/v1/platform/bots/${uuid}/send_message`, json, ...part });
}

const deliveries = () =>
  service.database
    .selectFrom('messages')
    .innerJoin('deliveries', 'deliveries.message_uuid', 'messages.uuid')
    .select(['messages.text', 'deliveries.state', 'deliveries.reason'])
    .orderBy('messages.position', 'desc')
    .execute();

const credentials = await everyCredential(service, 'send');

describe('POST /api/v1/platform/bots/{bot_uuid}/send_message', () => {
  it.each(credentials)('sends as the contract says for %s', async (_name, part) => {
    const answer = await send(message, botUuid, part);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ code: 0, msg: 'ok', data: { sent: true } });
    expect(fake.sent).toMatchObject([
      { target: { session_type: 'person', session_id: 'user-1', thread_id: '' }, message_chain: plain },
    ]);
  });

  it.each(badCredentials)('answers 401 to %s and sends nothing', async (_name, part, msg) => {
    const answer = await send(message, botUuid, part);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: -1, msg });
    expect(fake.sent).toEqual([]);
  });

  it('stores the message and how its delivery went', async () => {
    await send({ ...message, message_chain: [{ type: 'Plain', text: 'Stored' }] });
    expect((await deliveries())[0]).toEqual({ text: 'Stored', state: 'sent', reason: null });
  });

  it('takes a body of 10 MiB and none beyond', async () => {
    const limit = 10 * 1024 * 1024;
    const sized = (size: number) => {
      const empty = JSON.stringify({ ...message, message_chain: [{ type: 'Plain', text: '' }] });
      return { ...message, message_chain: [{ type: 'Plain', text: 'a'.repeat(size - empty.length) }] };
    };
    expect((await send(sized(limit))).status).toBe(200);
    const refused = await send(sized(limit + 1));
    expect([refused.status, refused.body.reason]).toEqual([413, 'too_large']);
    expect(fake.sent).toHaveLength(1);
  });

  it('sends to groups, mentions and all', async () => {
    const chain = [
      { type: 'At', target: 42, display: 'Ann' },
      { type: 'Plain', text: ' hello' },
    ];
    expect((await send({ target_type: 'group', target_id: 'room', message_chain: chain })).status).toBe(200);
    expect(fake.sent[0]).toMatchObject({ target: { session_type: 'group', session_id: 'room' }, message_chain: chain });
  });

  it.each([
    [123456, '123456'],
    [0, '0'],
    [-7, '-7'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['007', '007'],
    ['用户🔑', '用户🔑'],
  ])('reads the target %j as the text %s', async (target_id, text) => {
    expect((await send({ ...message, target_id })).status).toBe(200);
    expect(fake.sent[0]?.target.session_id).toBe(text);
  });

  it('takes the longest text of a message that fits', async () => {
    const text = 'x'.repeat(500_000);
    expect((await send({ ...message, message_chain: [{ type: 'Plain', text }] })).status).toBe(200);
    expect(fake.sent[0]?.message_chain).toEqual([{ type: 'Plain', text }]);
  });

  it.each<[string, unknown]>([
    ['target_type', { ...message, target_type: undefined }],
    ['target_type', { ...message, target_type: 'channel' }],
    ['target_type', { ...message, target_type: 'Person' }],
    ['target_type', { ...message, target_type: null }],
    ['target_id', { ...message, target_id: undefined }],
    ['target_id', { ...message, target_id: '' }],
    ['target_id', { ...message, target_id: 1.5 }],
    ['target_id', { ...message, target_id: 2 ** 53 }],
    ['target_id', { ...message, target_id: true }],
    ['target_id', { ...message, target_id: ['user-1'] }],
    ['target_id', { ...message, target_id: 'x'.repeat(513) }],
    ['message_chain', { ...message, message_chain: undefined }],
    ['message_chain', { ...message, message_chain: [] }],
    ['message_chain', { ...message, message_chain: 'Hello' }],
    ['message_chain', { ...message, message_chain: { type: 'Plain', text: 'Hello' } }],
    ['message_chain[0]', { ...message, message_chain: ['Hello'] }],
    ['message_chain[0]', { ...message, message_chain: [null] }],
    ['message_chain[0].type', { ...message, message_chain: [{}] }],
    ['message_chain[0].type', { ...message, message_chain: [{ type: 7, text: 'Hello' }] }],
    ['message_chain[0].type', { ...message, message_chain: [{ type: 'plain', text: 'Hello' }] }],
    ['message_chain[0].type', { ...message, message_chain: [{ type: '__proto__' }] }],
    ['message_chain[0].type', { ...message, message_chain: [{ type: 'toString' }] }],
    ['message_chain[0].text', { ...message, message_chain: [{ type: 'Plain' }] }],
    ['message_chain[0].text', { ...message, message_chain: [{ type: 'Plain', text: 5 }] }],
    ['message_chain[0].text', { ...message, message_chain: [{ type: 'Plain', text: null }] }],
    ['message_chain[0].colour', { ...message, message_chain: [{ type: 'Plain', text: 'Hello', colour: 'red' }] }],
    ['message_chain[1].target', { ...message, message_chain: [...plain, { type: 'At' }] }],
    ['message_chain[1]', { ...message, message_chain: [...plain, { type: 'Image' }] }],
    ['message_chain[1]', { ...message, message_chain: [...plain, { type: 'File', name: 'a.txt' }] }],
    [
      'message_chain[0].origin[0].text',
      { ...message, message_chain: [{ type: 'Quote', origin: [{ type: 'Plain' }] }] },
    ],
    ['message_chain[0].origin', { ...message, message_chain: [{ type: 'Quote' }] }],
    ['priority', { ...message, priority: 1 }],
  ])('answers 400 that names %s', async (path, json) => {
    const answer = await send(json);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: -1, reason: 'invalid_request' });
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect(answer.body.msg).toContain(answer.body.details[0].path);
    expect(fake.sent).toEqual([]);
  });

  it('names every fault at once, up to twenty', async () => {
    const two = await send({ target_type: 'channel', target_id: '', message_chain: plain });
    expect(two.body.details.map((detail: { path: string }) => detail.path)).toEqual(
      expect.arrayContaining(['target_type', 'target_id']),
    );
    const many = await send({ ...message, message_chain: Array.from({ length: 500 }, () => ({ type: 'Plain' })) });
    expect(many.status).toBe(400);
    expect(many.body.details).toHaveLength(20);
  });

  it('takes quotes eight deep and refuses deeper ones', async () => {
    const nested = (depth: number): object[] => (depth === 1 ? plain : [{ type: 'Quote', origin: nested(depth - 1) }]);
    const fits = await send({ ...message, message_chain: nested(8) });
    // The fake platform takes no quotes, which is asked once the chain is known to be right.
    expect(fits.body.reason).toBe('unsupported_element');
    const deeper = await send({ ...message, message_chain: nested(9) });
    expect(deeper.status).toBe(400);
    expect(deeper.body.details[0].message).toContain('8 deep');
    const bottomless = `${'[{"type":"Quote","origin":'.repeat(20_000)}[]${'}]'.repeat(20_000)}`;
    const payload = `{"target_type":"person","target_id":"user-1","message_chain":${bottomless}}`;
    const refused = await send(undefined, botUuid, {
      bearer,
      payload,
      headers: { 'content-type': 'application/json' },
    });
    expect(refused.status).toBe(400);
  });

  it('takes a thousand elements and refuses more, wherever they stand', async () => {
    const elements = (count: number) => Array.from({ length: count }, () => ({ type: 'Plain', text: '.' }));
    expect((await send({ ...message, message_chain: elements(1000) })).status).toBe(200);
    const refused = [elements(1001), [{ type: 'Quote', origin: elements(1000) }]];
    for (const message_chain of refused) {
      const answer = await send({ ...message, message_chain });
      expect(answer.status).toBe(400);
      expect(answer.body.details[0].message).toContain('at most 1000 elements');
    }
  });

  it('answers 422 to an element that the platform cannot carry, with its place', async () => {
    const image = { type: 'Image', url: 'https://example.com/a.png' };
    const answer = await send({ ...message, message_chain: [...plain, image] });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: -1, reason: 'unsupported_element' });
    expect(answer.body.details[0].path).toBe('message_chain[1].type');
    expect(fake.sent).toEqual([]);
  });

  it('answers 404 for an unknown bot and for what is no identifier', async () => {
    for (const uuid of [newUuid(), 'not-a-uuid', 'websocket-proxy-bot', '%2e%2e']) {
      const answer = await send(message, uuid);
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ code: -1, reason: 'not_found' });
    }
    expect((await send(message, newUuid())).body.msg).toBe('Bot not found');
  });

  it('answers 409 for a bot that is switched off, and checks the message before', async () => {
    const answer = await send(message, disabledUuid);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: -1, msg: 'Bot is disabled', reason: 'bot_disabled' });
    expect((await send({ ...message, message_chain: [] }, disabledUuid)).status).toBe(400);
  });

  it('notices that a bot was switched off', async () => {
    const update = (enable: number) =>
      service.database.updateTable('bots').set({ enable }).where('uuid', '=', botUuid).execute();
    await update(0);
    expect((await send(message)).body.reason).toBe('bot_disabled');
    await update(1);
    expect((await send(message)).status).toBe(200);
  });

  it('answers 409 for a bot that is on but not connected', async () => {
    const answer = await send(message, orphanUuid);
    expect(answer.status).toBe(409);
    expect(answer.body.reason).toBe('bot_not_running');
  });

  it.each<[Reason, number]>([
    ['window_closed', 422],
    ['reply_expired', 422],
    ['unknown_target', 422],
    ['quota', 422],
    ['unsupported_element', 422],
    ['platform_failed', 502],
  ])('answers what the platform said: %s', async (reason, status) => {
    fake.refuse = () => {
      throw new ParleyError(reason, `The platform says ${reason}`);
    };
    const answer = await send(message);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ code: -1, msg: `The platform says ${reason}`, reason });
    expect((await deliveries())[0]).toMatchObject({ state: 'failed', reason });
  });

  it('answers 502 to a fault in the platform, and tells nothing of its inside', async () => {
    fake.refuse = () => {
      throw new Error('connect ECONNREFUSED 10.0.0.7:443 token=abcdef');
    };
    const answer = await send(message);
    expect(answer.status).toBe(502);
    expect(answer.body).toMatchObject({ code: -1, reason: 'platform_failed' });
    expect(answer.text).not.toContain('ECONNREFUSED');
    expect(answer.text).not.toContain('abcdef');
  });

  it('gives every message of many at the same time a place of its own', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send({ ...message, target_id: 'crowd' })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const sequences = fake.sent.map(({ sequence }) => sequence).sort((left, right) => left - right);
    expect(sequences).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(new Set(fake.sent.map((sent) => sent.idempotency_token)).size).toBe(20);
  });

  it('sends to a person of the web chat who is not connected, who finds it on connecting', async () => {
    const bots = (await service.request({ url: '/api/v1/platform/bots', bearer })).body.data.bots;
    const webChat = bots.find((bot: { adapter: string }) => bot.adapter === 'websocket');
    const target_id = (await service.database.selectFrom('accounts').select('uuid').executeTakeFirstOrThrow()).uuid;
    const sent = await send({ ...message, target_id }, webChat.uuid);
    expect(sent.body.data).toEqual({ sent: true });
    const url = `/api/v1/pipelines/${webChat.use_pipeline_uuid}/ws/messages/person`;
    const { messages } = (await service.request({ url, bearer })).body.data;
    expect(messages).toMatchObject([{ role: 'assistant', content: 'Hello', message_chain: plain, is_final: true }]);
  });
});

describe('GET /api/v1/platform/bots', () => {
  it('lists every bot', async () => {
    const { bots } = (await service.request({ url: '/api/v1/platform/bots', bearer })).body.data;
    expect(bots[0].adapter).toBe('websocket');
    const byName = bots.sort((left: { name: string }, right: { name: string }) => (left.name < right.name ? -1 : 1));
    expect(byName).toMatchObject([
      { uuid: disabledUuid, enable: false, adapter_runtime_values: { state: 'stopped', error: null } },
      { uuid: botUuid, name: 'Running', enable: true, use_pipeline_name: null, use_pipeline_uuid: null },
      { adapter: 'websocket', enable: true, use_pipeline_name: 'Default pipeline', adapter_config: {} },
      {
        uuid: orphanUuid,
        adapter: 'gone',
        adapter_runtime_values: { state: 'error', error_reason: 'invalid_request', webhook_url: null },
      },
    ]);
  });
});
