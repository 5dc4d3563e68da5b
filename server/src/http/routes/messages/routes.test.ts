import { ParleyError, type Runner, reasons } from '@parley/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakePlatform } from '../../../../test/factories/fake-platform.ts';
import { citationReport, retrievalRecord } from '../../../../test/factories/retrieval-records.ts';
import { startTestService, type TestService } from '../../../../test/factories/start-test-service.ts';
import { messageEvent, plain } from '../../../../test/stores/ledger-records.ts';
import { newUuid } from '../../../lib/uuid.ts';
import { messageCursor } from '../../cursor.ts';

const fake = createFakePlatform();
const unknownUuid = '00000000-0000-7000-8000-000000000000';

/** What goes on until the test lets it end. */
let hold: PromiseWithResolvers<void> | null = null;

const runner: Runner = {
  name: 'echo',
  label: { en_US: 'Echo' },
  async *answer({ text }) {
    if (text === 'wait') await hold?.promise;
    if (text === 'fail') throw new ParleyError('provider_timeout', 'Too slow');
    if (text === 'cite') yield { type: 'retrieval', retrieval: retrievalRecord() };
    yield { type: 'text', text: `You said: ${text}` };
    if (text === 'cite') yield { type: 'citations', report: citationReport() };
  },
};

let service: TestService;
let bot: string;
let pipeline: string;
let person = 0;

const request = (url: string, more: { apiKey?: string; bearer?: string } = { bearer: service.account.token }) =>
  service.request({ url, ...more });
const data = async (url: string) => {
  const { status, text, body } = await request(url);
  expect(status, text).toBe(200);
  return body.data;
};
const put = async (url: string, json: object, method = 'PUT') => {
  const { status, text, body } = await service.request({ method, url, json, bearer: service.account.token });
  expect(status, text).toBe(200);
  return body.data;
};
const configure = async (tab: string, group: string, fields: object) => {
  const { config } = (await data(`/api/v1/pipelines/${pipeline}`)).pipeline;
  Object.assign(config[tab][group], fields);
  await put(`/api/v1/pipelines/${pipeline}`, { config });
};
/** Sends the first message of a new user. @returns the uuid of the message */
const say = async (text: string, over: Parameters<typeof messageEvent>[1] = {}) => {
  const adapter = fake.adapters.at(-1);
  if (adapter === undefined) throw new Error('there is no bot');
  const id = `person-${person}`;
  return (await adapter.context.receive(messageEvent(text, { session_id: id, sender_id: id, ...over }))).uuid;
};
const list = async (query = '') => (await data(`/api/v1/messages?session_id=person-${person}${query}`)).messages;
const textsOf = (messages: { text: string }[]) => messages.map(({ text }) => text);
const explain = (uuid: string) => data(`/api/v1/messages/${uuid}/explain`);
const ended = (uuid: string) =>
  expect
    .poll(async () => (await data(`/api/v1/messages/${uuid}`)).message.finished_at, { timeout: 10_000 })
    .not.toBeNull();
const saidAndEnded = async (text: string, over: Parameters<typeof say>[1] = {}) => {
  const uuid = await say(text, over);
  await ended(uuid);
  return uuid;
};

beforeAll(async () => {
  service = await startTestService({ extensions: { platforms: [fake.platform], runners: [runner] } });
  pipeline = (await data('/api/v1/pipelines')).pipelines[0].uuid;
  await configure('ai', 'runner', { runner: 'echo' });
  const made = { name: 'Parrot', adapter: 'fake', adapter_config: {}, enable: true, use_pipeline_uuid: pipeline };
  bot = (await put('/api/v1/platform/bots', made, 'POST')).uuid;
  await vi.waitFor(() => expect(fake.up()).toHaveLength(1));
});
afterAll(() => service.stop());
beforeEach(() => {
  person += 1;
  fake.refuse = () => {};
});

describe('the list of messages', () => {
  it('tells what came in and went out, newest first', async () => {
    const uuid = await saidAndEnded('Hello');
    expect(await list()).toEqual([
      expect.objectContaining({
        direction: 'outbound',
        reply_to: uuid,
        text: 'You said: Hello',
        state: 'finished',
        delivery_state: 'sent',
        session_name: 'Ada',
      }),
      {
        uuid,
        bot_uuid: bot,
        conversation_uuid: expect.any(String),
        pipeline_uuid: pipeline,
        session_type: 'person',
        session_id: `person-${person}`,
        thread_id: '',
        direction: 'inbound',
        platform_message_id: expect.any(String),
        reply_to: null,
        sequence: 1,
        sender_id: `person-${person}`,
        sender_name: 'Ada',
        facts: {},
        message_chain: plain('Hello'),
        text: 'Hello',
        state: 'answered',
        reason: 'answered',
        merged_into: null,
        attempts: 1,
        created_at: expect.any(String),
        finished_at: expect.any(String),
        delivery_state: null,
        failure: null,
        session_name: 'Ada',
      },
    ]);
  });

  it('is searched by every field, alone and together', async () => {
    await configure('trigger', 'ignore-rules', { prefix: ['psst'] });
    await saidAndEnded('Hello');
    await saidAndEnded('psst');
    await saidAndEnded('Hello all', { session_type: 'group', session_id: `group-${person}` });
    const { conversation_uuid, created_at } = (await list('&state=stopped'))[0];
    expect(textsOf(await list('&direction=inbound'))).toEqual(['psst', 'Hello']);
    expect(textsOf(await list('&reason=ignored'))).toEqual(['psst']);
    expect(textsOf(await list('&reason=answered'))).toEqual(['Hello']);
    expect(textsOf(await list('&text=SAID%3A'))).toEqual(['You said: Hello']);
    expect(textsOf(await list('&session_type=group'))).toEqual([]);
    expect(textsOf(await list(`&bot_uuid=${bot.toUpperCase()}&pipeline_uuid=${pipeline}&state=answered`))).toEqual([
      'Hello',
    ]);
    expect(textsOf(await list(`&bot_uuid=${unknownUuid}`))).toEqual([]);
    expect(textsOf(await list(`&from=${created_at}&direction=inbound`))).toEqual(['psst']);
    expect(textsOf(await list(`&to=${created_at}&direction=inbound`))).toEqual(['Hello']);
    const elsewhere = encodeURIComponent(created_at.replace('Z', '+00:00'));
    expect(textsOf(await list(`&from=${elsewhere}&direction=inbound`))).toEqual(['psst']);
    const inGroup = await data(`/api/v1/messages?sender_id=person-${person}&session_type=group`);
    expect(textsOf(inGroup.messages)).toEqual(['Hello all']);
    const ofConversation = await data(`/api/v1/messages?conversation_uuid=${conversation_uuid}&state=finished`);
    expect(textsOf(ofConversation.messages)).toEqual(['You said: Hello']);
    const hostile = encodeURIComponent("' or 1=1 --\0");
    expect((await data(`/api/v1/messages?session_id=${hostile}`)).messages).toEqual([]);
  });

  it('is read in pages that stand still while more is said', async () => {
    for (const text of ['1', '2', '3']) await saidAndEnded(text);
    const all = textsOf(await list());
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await data(`/api/v1/messages?session_id=person-${person}&limit=4${cursor}`);
      expect(page.messages.length).toBeLessThanOrEqual(4);
      seen.push(...textsOf(page.messages));
      if (page.next_cursor === null) break;
      await saidAndEnded('one more');
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(all).toHaveLength(6);
    expect(seen).toEqual(all);
  });

  const place = { created_at: '2026-11-21T12:00:00.000Z', position: 7 };
  it.each([
    ['limit', '0'],
    ['limit', '201'],
    ['limit', 'many'],
    ['bot_uuid', 'x'],
    ['pipeline_uuid', ''],
    ['conversation_uuid', '1'],
    ['session_type', 'crowd'],
    ['session_id', ''],
    ['sender_id', 'x'.repeat(256)],
    ['direction', 'up'],
    ['state', 'done'],
    ['reason', 'Because'],
    ['from', 'yesterday'],
    ['to', '2026-12-31T23:59:60Z'],
    ['to', '9999-12-31T23:59:59-12:00'],
    ['cursor', ''],
    ['cursor', 'x'],
    ['cursor', 'x'.repeat(200)],
    ['cursor', Buffer.from('2026-11-21@7').toString('base64url')],
    ['cursor', Buffer.from(`${place.created_at}@99999999999999999999`).toString('base64url')],
    ['cursor', `${messageCursor.encode(place)}=`],
    ['cursor', messageCursor.encode({ ...place, position: 2 ** 53 })],
    ['colour', 'green'],
  ])('refuses a wrong %s (%#)', async (field, value) => {
    const answer = await request(`/api/v1/messages?${field}=${encodeURIComponent(value)}`);
    expect(answer.status).toBe(400);
    expect(answer.body.details[0].path).toMatch(new RegExp(`^query\\.?${field}?`));
  });

  it('refuses a filter that is given twice', async () => {
    expect((await request('/api/v1/messages?state=failed&state=stopped')).status).toBe(400);
  });

  it('takes a cursor of any place', async () => {
    expect(
      (await data(`/api/v1/messages?cursor=${messageCursor.encode({ ...place, position: 0 })}`)).next_cursor,
    ).toBeNull();
    const latest = messageCursor.encode({ created_at: '9999-01-01T00:00:00.000Z', position: Number.MAX_SAFE_INTEGER });
    expect((await data(`/api/v1/messages?limit=1&cursor=${latest}`)).messages).toHaveLength(1);
  });

  it('is for those who may read', async () => {
    const { key } = await service.createApiKey(['read']);
    const { key: sender } = await service.createApiKey(['send']);
    const urls = ['', `/${unknownUuid}`, `/${unknownUuid}/explain`].map((path) => `/api/v1/messages${path}`);
    for (const url of urls) {
      expect((await request(url, {})).status).toBe(401);
      expect((await request(url, { apiKey: sender })).body.reason).toBe('scope_required');
    }
    expect((await request('/api/v1/messages', { apiKey: key })).status).toBe(200);
  });
});

describe('one message', () => {
  it('comes with its answer, and an answer with what it answers', async () => {
    const uuid = await saidAndEnded('Hello');
    const found = await data(`/api/v1/messages/${uuid.toUpperCase()}`);
    const [answer] = await list('&direction=outbound');
    expect(found).toEqual({
      message: expect.objectContaining({ uuid }),
      deliveries: [],
      answer: {
        message: answer,
        deliveries: [
          {
            piece: 0,
            state: 'sent',
            platform_message_id: `sent-${fake.sent.length}`,
            reason: null,
            error: null,
            message_chain: plain('You said: Hello'),
            created_at: expect.any(String),
            updated_at: expect.any(String),
          },
        ],
      },
      reply_to: null,
    });
    expect(await data(`/api/v1/messages/${answer.uuid}`)).toEqual({
      message: answer,
      deliveries: found.answer.deliveries,
      answer: null,
      reply_to: found.message,
    });
  });

  it.each([unknownUuid, 'x', '%00', '1'])('is not found under %s', async (uuid) => {
    for (const path of ['', '/explain']) {
      const answer = await request(`/api/v1/messages/${uuid}${path}`);
      expect(answer).toMatchObject({ status: 404, body: { reason: 'not_found' } });
    }
  });
});

describe('the explanation', () => {
  it('of an answered message tells every step', async () => {
    const uuid = await saidAndEnded('Hello');
    const found = await explain(uuid);
    expect(found).toMatchObject({
      message: { uuid, text: 'Hello' },
      summary: 'The message was answered.',
      outcome: 'answered',
      reason: 'answered',
      waiting: null,
      attempts: 1,
      model_calls: [],
      tool_calls: [],
      retrievals: [],
      citations: null,
      deliveries: [{ piece: 0, state: 'sent', platform_message_id: `sent-${fake.sent.length}` }],
      merged: [],
      merged_into: null,
    });
    expect(found.total_milliseconds).toBeGreaterThanOrEqual(0);
    expect(found.steps).toContainEqual({
      name: 'runner',
      outcome: 'passed',
      reason: null,
      milliseconds: expect.any(Number),
      details: expect.objectContaining({ runner: 'echo' }),
    });
  });

  it('of an answer that rests on documents tells what was found and cited', async () => {
    const found = await explain(await saidAndEnded('cite'));
    const { passages, ...retrieval } = retrievalRecord();
    expect(found.retrievals).toEqual([
      {
        ...retrieval,
        uuid: expect.any(String),
        passages: passages.map((passage, index) => ({ ...passage, cited_as: index === 1 ? 1 : null })),
      },
    ]);
    expect(found.citations).toEqual({ cited: citationReport().citations, dropped: 1 });
    const [answer] = await list('&direction=outbound');
    expect(await explain(answer.uuid)).toMatchObject({ retrievals: found.retrievals, citations: found.citations });
  });

  it('of an unanswered message contains the reason', async () => {
    await configure('trigger', 'ignore-rules', { prefix: ['psst'] });
    const found = await explain(await saidAndEnded('psst'));
    expect(found).toMatchObject({
      summary: `The message was not answered. ${reasons.ignored}`,
      outcome: 'stopped',
      reason: 'ignored',
      deliveries: [],
    });
    expect(found.steps.at(-1)).toMatchObject({ outcome: 'stopped', reason: 'ignored' });
  });

  it('of a message that could not be answered says why, and what was said instead', async () => {
    const found = await explain(await saidAndEnded('fail'));
    expect(found).toMatchObject({
      summary: `Processing failed. ${reasons.provider_timeout} A notice was sent.`,
      outcome: 'failed',
      reason: 'provider_timeout',
      deliveries: [{ state: 'sent' }],
    });
    expect(found.steps.find(({ name }: { name: string }) => name === 'runner')).toMatchObject({ outcome: 'failed' });
  });

  it('of a message whose answer the platform refused tells what the platform said', async () => {
    fake.refuse = () => {
      throw new ParleyError('quota', 'No more messages this month');
    };
    const uuid = await saidAndEnded('Hello');
    expect(await explain(uuid)).toMatchObject({
      outcome: 'failed',
      reason: 'quota',
      deliveries: [{ state: 'failed', reason: 'quota', error: 'No more messages this month' }],
    });
    const [answer] = await list('&direction=outbound');
    expect(await explain(answer.uuid)).toMatchObject({
      summary: `The answer was not sent. ${reasons.quota}`,
      outcome: 'failed',
      reason: 'quota',
      attempts: 1,
    });
  });

  it('of a message that was sent unasked tells of its delivery', async () => {
    const target = { target_type: 'person', target_id: `person-${person}`, message_chain: plain('News') };
    await put(`/api/v1/platform/bots/${bot}/send_message`, target, 'POST');
    const [message] = await list();
    expect(await explain(message.uuid)).toMatchObject({
      summary: 'The message was sent.',
      outcome: 'sent',
      reason: null,
      steps: [],
      deliveries: [{ state: 'sent' }],
    });
  });

  it('follows a message and those behind it while it is on its way', async () => {
    hold = Promise.withResolvers();
    const first = await say('wait');
    await expect.poll(async () => (await explain(first)).outcome).toBe('processing');
    expect(await explain(first)).toMatchObject({
      summary: 'The message is being processed.',
      reason: null,
      waiting: null,
      steps: [],
    });
    const second = await say('and then?');
    expect(await explain(second)).toMatchObject({
      summary: 'The message is queued behind an earlier message of its conversation.',
      outcome: 'received',
      waiting: { until: null, reason: null },
      attempts: 0,
    });
    hold.resolve();
    hold = null;
    await ended(second);
    expect((await explain(second)).summary).toBe('The message was answered.');
  });

  it('of messages that are joined tells of each other', async () => {
    await configure('trigger', 'message-aggregation', { enabled: true, delay: 1 });
    const first = await say('One');
    await expect.poll(async () => (await explain(first)).waiting?.until ?? null).not.toBeNull();
    const waiting = await explain(first);
    expect(waiting.waiting.reason).toBe('aggregating');
    expect(waiting.summary).toBe(`The message is queued until ${waiting.waiting.until}. ${reasons.aggregating}`);
    const second = await say('Two');
    await ended(first);
    await configure('trigger', 'message-aggregation', { enabled: false });
    expect(await explain(first)).toMatchObject({ outcome: 'answered', merged: [second], merged_into: null });
    expect(await explain(second)).toMatchObject({
      summary: reasons.merged,
      outcome: 'stopped',
      reason: 'merged',
      merged: [],
      merged_into: first,
      steps: [],
    });
  });

  it('of a message from before traces were introduced has no steps', async () => {
    const uuid = await saidAndEnded('Hello');
    await service.database.deleteFrom('message_traces').where('message_uuid', '=', uuid).execute();
    expect(await explain(uuid)).toMatchObject({ summary: 'The message was answered.', steps: [], model_calls: [] });
  });

  it('of a message whose bot is not connected says that it waits for that', async () => {
    const uuid = newUuid();
    const { conversation_uuid } = (await data(`/api/v1/messages/${await saidAndEnded('Hello')}`)).message;
    // Of an unknown bot, so it is not in the queue.
    const row = await service.database
      .selectFrom('messages')
      .selectAll()
      .where('conversation_uuid', '=', conversation_uuid)
      .executeTakeFirstOrThrow();
    const { position: _, ...columns } = row;
    await service.database
      .insertInto('messages')
      .values({
        ...columns,
        uuid,
        bot_uuid: unknownUuid,
        sequence: 100,
        platform_message_id: uuid,
        state: 'received',
        reason: null,
        finished_at: null,
      })
      .execute();
    expect(await explain(uuid)).toMatchObject({
      summary: `The message is queued. ${reasons.not_found}`,
      waiting: { until: null, reason: 'not_found' },
    });
    await service.database.deleteFrom('messages').where('uuid', '=', uuid).execute();
  });
});
