import type { CitationReport, ModelCall, Retrieval, RunnerDelta } from '@parley/sdk';
import { expect, it } from 'vitest';
import { citationReport, retrievalRecord } from '../../../test/factories/retrieval-records.ts';
import { AnswerWriter } from './answer-writer.ts';

const calls: ModelCall[] = [];
const retrievals: Retrieval[] = [];
const reports: CitationReport[] = [];
const recorder = {
  addCall: (call: ModelCall) => calls.push(call),
  addRetrieval: (retrieval: Retrieval) => retrievals.push(retrieval),
  setCitations: (report: CitationReport) => reports.push(report),
};
const writer = (options: Partial<ConstructorParameters<typeof AnswerWriter>[0]> = {}) =>
  new AnswerWriter({ showToolCalls: false, ...options }, recorder);
const text = (piece: string): RunnerDelta => ({ type: 'text', text: piece });
const thought = (piece: string): RunnerDelta => ({ type: 'reasoning', text: piece });

it('joins texts', () => {
  const answer = writer();
  expect(answer.isEmpty).toBe(true);
  expect(answer.add(text('It '))).toBe(true);
  expect(answer.add(text('is 4.'))).toBe(true);
  expect(answer.partial).toEqual([{ type: 'Plain', text: 'It is 4.' }]);
  expect(answer.complete).toEqual([{ type: 'Plain', text: 'It is 4.' }]);
  expect(answer.said).toBe('It is 4.');
});

it('shows thoughts between tags, and does not count them as said', () => {
  const answer = writer();
  for (const delta of [thought('Let me'), thought(' see'), text('4'), thought('really?')]) answer.add(delta);
  expect(answer.partial).toEqual([{ type: 'Plain', text: '<think>\nLet me see\n</think>\n\n4<think>\nreally?' }]);
  expect(answer.complete).toEqual([
    { type: 'Plain', text: '<think>\nLet me see\n</think>\n\n4<think>\nreally?\n</think>\n\n' },
  ]);
  expect(answer.said).toBe('4');
});

it('output.misc.remove-think: leaves thoughts out', () => {
  const answer = writer();
  answer.hideThoughts();
  expect(answer.add(thought('hm'))).toBe(false);
  answer.add(text('4'));
  expect(answer.complete).toEqual([{ type: 'Plain', text: '4' }]);
});

it('output.misc.track-function-calls: says which tools are called, on lines of their own', () => {
  const shown = writer({ showToolCalls: true });
  for (const delta of [text('One moment'), { type: 'tool_call', name: 'clock' } as const, text('It is noon')]) {
    shown.add(delta);
  }
  expect(shown.complete).toEqual([{ type: 'Plain', text: 'One moment\n\nCall clock...\n\nIt is noon' }]);
  expect(shown.said).toBe('One momentIt is noon');
  const silent = writer();
  expect(silent.add({ type: 'tool_call', name: 'clock' })).toBe(false);
  expect(silent.isEmpty).toBe(true);
});

it('separates the text below the answer, and excludes it from the history', () => {
  const answer = writer();
  answer.add(text('At nine [1].'));
  expect(answer.add({ type: 'appendix', text: '[1] handbook.pdf' })).toBe(true);
  expect(answer.complete).toEqual([{ type: 'Plain', text: 'At nine [1].\n\n[1] handbook.pdf' }]);
  expect(answer.said).toBe('At nine [1].');
});

it('passes on retrievals and citations', () => {
  const answer = writer();
  const retrieval = retrievalRecord();
  const report = citationReport();
  expect(answer.add({ type: 'retrieval', retrieval })).toBe(false);
  expect(answer.add({ type: 'citations', report })).toBe(false);
  expect([retrievals, reports]).toEqual([[retrieval], [report]]);
  expect(answer.isEmpty).toBe(true);
});

it('puts files behind the text', () => {
  const answer = writer();
  answer.attach({ type: 'Image', url: 'https://example.com/a.png' });
  answer.add({ type: 'attachment', element: { type: 'File', name: 'b', path: 'key' } });
  expect(answer.isEmpty).toBe(false);
  answer.add(text('Here'));
  expect(answer.complete.map(({ type }) => type)).toEqual(['Plain', 'Image', 'File']);
  expect(answer.partial.map(({ type }) => type)).toEqual(['Plain']);
});

it('sets a notice apart, outside of any thought', () => {
  const broken = writer();
  broken.add(thought('hm'));
  broken.addNotice('Request failed.');
  expect(broken.complete).toEqual([{ type: 'Plain', text: '<think>\nhm\n</think>\n\n\n\nRequest failed.' }]);
  const alone = writer();
  alone.addNotice('Request failed.');
  expect(alone.complete).toEqual([{ type: 'Plain', text: 'Request failed.' }]);
  const silent = writer();
  silent.addNotice('');
  expect(silent.isEmpty).toBe(true);
});

it('passes calls of models on', () => {
  const call: ModelCall = {
    model_uuid: 'm',
    model_name: 'small',
    started_at: '2026-01-01T00:00:00.000Z',
    milliseconds: 5,
    first_piece_milliseconds: 2,
    input_tokens: 3,
    output_tokens: 4,
    reason: null,
    error: null,
  };
  expect(writer().add({ type: 'model_call', call })).toBe(false);
  expect(calls).toEqual([call]);
});
