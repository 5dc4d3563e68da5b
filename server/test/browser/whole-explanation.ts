import { english } from '../../../web/src/locales/en/index.ts';

const { summaries } = english.explain;
const timestamp = '2026-03-01T10:00:00.000Z';
const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const source = {
  document_id: 'd1',
  file_id: 'f1',
  file_name: 'handbook of the weather station.pdf',
  page: 12,
  page_end: 13,
  heading_path: ['Measuring', 'Wind'],
  start: 100,
  end: 180,
};

/** An explanation that has everything in it that one can have, as the server would give it. */
export function wholeExplanation(isInProgress: boolean) {
  return {
    message: {
      uuid: uuid(1),
      bot_uuid: uuid(2),
      conversation_uuid: uuid(3),
      pipeline_uuid: uuid(4),
      session_type: 'person',
      session_id: 'ada',
      thread_id: '',
      direction: 'inbound',
      platform_message_id: '77',
      reply_to: null,
      sequence: 1,
      sender_id: 'ada',
      sender_name: 'Ada',
      facts: {},
      message_chain: [],
      text: 'How windy is it in <b>Oslo</b>?',
      reason: null,
      merged_into: null,
      attempts: 2,
      state: 'answered',
      created_at: timestamp,
      finished_at: null,
      delivery_state: null,
      failure: null,
    },
    summary: isInProgress ? summaries.processing : summaries.answered,
    outcome: isInProgress ? 'processing' : 'answered',
    reason: isInProgress ? null : 'answered',
    failure: null,
    waiting: null,
    attempts: 2,
    total_milliseconds: 83_500,
    pipeline: { version: 3, draft: null },
    steps: isInProgress ? [] : steps,
    model_calls: isInProgress ? [] : modelCalls,
    tool_calls: [toolCall(isInProgress)],
    retrievals: isInProgress ? [] : [retrieval],
    citations: isInProgress ? null : citations,
    deliveries: isInProgress ? [] : deliveries,
    merged: isInProgress ? [] : [uuid(8), uuid(9)],
    merged_into: null,
  };
}

const step = { outcome: 'passed', reason: null, details: {} };
const steps = [
  { ...step, name: 'access-control', milliseconds: 0.1, details: { mode: 'blacklist' } },
  { ...step, name: 'aggregation', outcome: 'merged', reason: 'merged', milliseconds: 1.2, details: { messages: 3 } },
  { ...step, name: 'webhooks', milliseconds: 420, details: { told: 1, answered: 1 } },
  {
    ...step,
    name: 'runner',
    milliseconds: 2300,
    details: {
      runner: 'local-agent',
      question_characters: 24,
      knowledge: { asked: 1, found: 2, cited: 1, dropped: 2 },
    },
  },
  { ...step, name: 'a-step-of-a-later-version', outcome: 'changed', reason: 'long_text', milliseconds: 300 },
];

const call = {
  model_uuid: uuid(5),
  started_at: timestamp,
  input_tokens: 0,
  output_tokens: 0,
  cost: null,
  failure: null,
};
const modelCalls = [
  {
    ...call,
    uuid: uuid(10),
    model_name: 'big-model',
    milliseconds: 900,
    first_piece_milliseconds: null,
    reason: 'provider_timeout',
    error: 'no answer after 900 ms',
  },
  {
    ...call,
    uuid: uuid(11),
    model_name: 'small-model',
    milliseconds: 1400,
    first_piece_milliseconds: 210,
    input_tokens: 1834,
    output_tokens: 112,
    cost: 0.00231,
    reason: null,
    error: null,
  },
];

function toolCall(isRunning: boolean) {
  return {
    uuid: uuid(12),
    tool_name: 'weather_at',
    parameters: '{"city":"Oslo"}',
    started_at: timestamp,
    result: isRunning ? null : '{"wind":"4 m/s"}',
    result_size: isRunning ? null : 1600,
    state: isRunning ? 'running' : 'succeeded',
    reason: null,
    error: null,
    milliseconds: isRunning ? null : 320,
  };
}

const passage = { knowledge_base_uuid: uuid(6), knowledge_base_name: 'Handbook', distance: 0.2, source };
const retrieval = {
  uuid: uuid(13),
  question: 'How windy is it in Oslo?',
  asked_by: 'runner',
  knowledge_bases: [uuid(6), uuid(7)],
  started_at: timestamp,
  milliseconds: 46,
  passages: [
    {
      ...passage,
      id: 'c1',
      text: 'The wind is measured ten metres above the ground.',
      score: 0.91,
      number: 1,
      legs: { keyword: { rank: 2, score: 7.1 }, vector: { rank: 1, score: 0.83 }, rerank: { rank: 1, score: 0.91 } },
      cited_as: 1,
    },
    {
      ...passage,
      id: 'c2',
      text: 'Rain is measured in millimetres.',
      score: null,
      number: null,
      source: null,
      legs: { keyword: { rank: 9, score: 1.2 } },
      cited_as: null,
    },
  ],
  failures: [{ knowledge_base_uuid: uuid(7), reason: 'engine_failed', error: 'HTTP 500' }],
};
const citations = {
  cited: [{ number: 1, knowledge_base_uuid: uuid(6), chunk_id: 'c1', source, quote: 'ten metres above the ground' }],
  dropped: 2,
};
const delivery = { platform_message_id: '78', reason: null, error: null, created_at: timestamp, updated_at: timestamp };
const deliveries = [
  { ...delivery, piece: 0, state: 'sent' },
  { ...delivery, piece: 1, state: 'failed', platform_message_id: null, reason: 'platform_failed', error: 'HTTP 502' },
];
