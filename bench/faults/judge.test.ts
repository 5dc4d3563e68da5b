import { describe, expect, it } from 'vitest';
import { answerText } from './answer-text.ts';
import { type Evidence, type Incident, judge, type ListedMessage, unfoundedAnswers } from './judge.ts';
import type { EvaluatedQuestion, RecordedSend, VisibleMessage } from './record.ts';

const service = 77;
const question = (id: string, over: Partial<EvaluatedQuestion> = {}): EvaluatedQuestion => ({
  id,
  bot: 'plain',
  chat: 1,
  parts: 1,
  at: 0,
  confirmedAt: 1,
  handedOut: 1,
  ...over,
});
const message = (messageId: number, text: string, over: Partial<VisibleMessage> = {}): VisibleMessage => ({
  bot: 'plain',
  chat: 1,
  messageId,
  text,
  sentAt: 1000,
  ...over,
});
const send = (messageId: number, id: string, over: Partial<RecordedSend> = {}): RecordedSend => ({
  bot: 'plain',
  chat: 1,
  questions: [id],
  method: 'sendMessage',
  messageId,
  process: service,
  receivedAt: 990,
  appliedAt: 1000,
  answeredAt: 1010,
  status: 200,
  retryAfter: null,
  ...over,
});
const listed = (id: string, over: Partial<ListedMessage> = {}): ListedMessage => ({
  id,
  uuid: id,
  state: 'answered',
  reason: 'answered',
  deliveryState: 'sent',
  createdAt: 0,
  finishedAt: 1020,
  ...over,
});
const killAt = (at: number): Incident => ({ from: at, until: at, process: service });

const whole = (id: string) => answerText(id, 1);
const cutOff = (id: string) => whole(id).slice(0, 120);
const part = (id: string, number: number) => answerText(id, 5).split('\n\n')[number - 1] as string;

interface Case {
  questions: EvaluatedQuestion[];
  visible: VisibleMessage[];
  sends?: RecordedSend[];
  listed?: ListedMessage[];
  incidents?: Incident[];
  modelCalls?: Record<string, number>;
}
function verdictOf(given: Case, bots?: string[]) {
  return judge(evidenceOf(given), bots);
}
function evidenceOf(given: Case): Evidence {
  return {
    record: {
      questions: given.questions,
      visible: given.visible,
      sends: given.sends ?? given.visible.map((one) => send(one.messageId, 'q1', { bot: one.bot, chat: one.chat })),
      conflicts: [],
    },
    listed: given.listed ?? given.questions.map(({ id }) => listed(id)),
    incidents: given.incidents ?? [],
    modelCalls: given.modelCalls ?? {},
  };
}
const none = { lost: 0, repeated: 0, partial: 0, reordered: 0, uncertain: 0, failed: 0, ended_by_store: 0, gaps: 0 };
const faultless = { ...none, exempt: 0, unfounded: 0, excessive: 0, notices: 0, extra_model_calls: 0 };

describe('the judge of what users see', () => {
  it('finds no fault with answers that stand there once, in order', () => {
    const questions = [question('q1'), question('q2'), question('q3', { parts: 5, chat: 2 })];
    const visible = [
      message(1, whole('q1')),
      message(2, whole('q2')),
      ...[1, 2, 3, 4, 5].map((number) => message(number, part('q3', number), { chat: 2 })),
    ];
    expect(verdictOf({ questions, visible })).toEqual({ ...faultless, asked: 3, delivered: 3 });
  });

  it.each<[string, Case, object]>([
    ['an answer that is not there', { questions: [question('q1')], visible: [] }, { delivered: 0, lost: 1 }],
    [
      'an answer that is there twice',
      { questions: [question('q1')], visible: [message(1, whole('q1')), message(2, whole('q1'))] },
      { repeated: 1 },
    ],
    [
      'an answer that is there cut off and whole',
      { questions: [question('q1')], visible: [message(1, cutOff('q1')), message(2, whole('q1'))] },
      { repeated: 1, partial: 1 },
    ],
    [
      'an answer that is there only cut off',
      { questions: [question('q1')], visible: [message(1, cutOff('q1'))] },
      { delivered: 0, lost: 1, partial: 1 },
    ],
    [
      'an answer behind the one to a later question',
      { questions: [question('q1'), question('q2')], visible: [message(1, whole('q2')), message(2, whole('q1'))] },
      { asked: 2, delivered: 2, reordered: 1 },
    ],
    [
      'a part that is missing',
      {
        questions: [question('q1', { parts: 5 })],
        visible: [1, 2, 4, 5].map((number) => message(number, part('q1', number))),
      },
      { delivered: 0, lost: 1, gaps: 1 },
    ],
    [
      'parts out of order',
      {
        questions: [question('q1', { parts: 5 })],
        visible: [1, 3, 2, 4, 5].map((number, index) => message(index + 1, part('q1', number))),
      },
      { reordered: 1 },
    ],
    [
      'a part that is there twice',
      {
        questions: [question('q1', { parts: 5 })],
        visible: [1, 2, 2, 3, 4, 5].map((number, index) => message(index + 1, part('q1', number))),
      },
      { repeated: 1 },
    ],
    [
      'a message that ended by a fault of the store',
      { questions: [question('q1')], visible: [], listed: [listed('q1', { state: 'failed', reason: 'internal' })] },
      { delivered: 0, failed: 1, ended_by_store: 1 },
    ],
    [
      'a second call of the model',
      { questions: [question('q1')], visible: [message(1, whole('q1'))], modelCalls: { q1: 2 } },
      { extra_model_calls: 1 },
    ],
    [
      'a notice',
      { questions: [question('q1')], visible: [message(1, whole('q1')), message(2, 'Too many messages.')] },
      { notices: 1 },
    ],
  ])('finds %s', (_, given, faults) => {
    expect(verdictOf(given)).toEqual({ ...faultless, asked: 1, delivered: 1, ...faults });
  });

  it('does not call lost what is listed as uncertain or failed, however the API says so', () => {
    const ways = [
      { state: 'uncertain' },
      { deliveryState: 'uncertain' },
      { state: 'failed' },
      { deliveryState: 'failed' },
    ];
    const questions = ways.map((_, index) => question(`q${index}`, { chat: index }));
    const verdict = verdictOf({ questions, visible: [], listed: ways.map((way, index) => listed(`q${index}`, way)) });
    expect(verdict).toMatchObject({ lost: 0, uncertain: 2, failed: 2, unfounded: 2 });
  });

  it.each<[string, number, object]>([
    ['was read long before the kill', 2000, { repeated: 1, partial: 1, exempt: 0 }],
    ['left the platform right before the kill', 1040, { repeated: 0, partial: 0, exempt: 1 }],
  ])('excuses a cut-off message only when its send was on the wire: the answer %s', (_, at, faults) => {
    const verdict = verdictOf({
      questions: [question('q1')],
      visible: [message(1, cutOff('q1')), message(2, whole('q1'))],
      sends: [send(1, 'q1'), send(2, 'q1', { process: 78, answeredAt: 5000 })],
      incidents: [killAt(at)],
    });
    expect(verdict).toMatchObject({ delivered: 1, ...faults });
  });

  it('doubts what is uncertain without a send that was inconclusive', () => {
    const given = {
      questions: [question('q1')],
      visible: [message(1, whole('q1'))],
      listed: [listed('q1', { deliveryState: 'uncertain' })],
    };
    expect(verdictOf(given)).toMatchObject({ uncertain: 1, unfounded: 1 });
    expect(unfoundedAnswers(evidenceOf({ ...given, incidents: [killAt(1100)] }))).toEqual([
      'plain: the platform had answered every send of q1, the latest 90 ms before the end of its process',
    ]);
    expect(verdictOf({ ...given, sends: [send(1, 'q1', { answeredAt: null, status: 0 })] })).toMatchObject({
      uncertain: 1,
      unfounded: 0,
    });
  });

  it('does not doubt what was about to be sent when the process was killed', () => {
    const listing = [listed('q1', { deliveryState: 'uncertain' })];
    const given = { questions: [question('q1')], visible: [], listed: listing };
    expect(verdictOf({ ...given, incidents: [killAt(1000)] })).toMatchObject({ lost: 0, uncertain: 1, unfounded: 0 });
    expect(verdictOf(given)).toMatchObject({ unfounded: 1 });
  });

  it('counts what is uncertain beyond the first of a conversation and kill', () => {
    const questions = ['q1', 'q2', 'q3'].map((id) => question(id));
    const sends = [
      send(1, 'q1', { answeredAt: null, receivedAt: 1000 }),
      send(2, 'q2', { answeredAt: null, receivedAt: 1001 }),
      send(3, 'q3', { answeredAt: null, receivedAt: 2000 }),
    ];
    const verdict = verdictOf({
      questions,
      visible: [],
      sends,
      listed: questions.map(({ id }) => listed(id, { deliveryState: 'uncertain' })),
      incidents: [killAt(1002), killAt(2001)],
    });
    expect(verdict).toMatchObject({ uncertain: 3, unfounded: 0, excessive: 1 });
  });

  it('counts what was about to be sent to the kill before its message was settled', () => {
    const questions = ['q1', 'q2', 'q3'].map((id) => question(id));
    const ended = (id: string, finishedAt: number) => listed(id, { deliveryState: 'uncertain', finishedAt });
    const listing = [ended('q1', 1500), ended('q2', 2500), ended('q3', 2600)];
    const verdict = verdictOf({ questions, visible: [], listed: listing, incidents: [killAt(1002), killAt(2001)] });
    expect(verdict).toMatchObject({ uncertain: 3, excessive: 1 });
  });

  it('judges only the given bots', () => {
    const questions = [question('q1'), question('q2', { bot: 'stream', chat: 2 })];
    expect(verdictOf({ questions, visible: [] }, ['stream'])).toMatchObject({ asked: 1, lost: 1 });
  });
});
