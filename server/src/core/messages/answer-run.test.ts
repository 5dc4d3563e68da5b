import type { Runner, RunnerDelta } from '@parley/sdk';
import { pipelineMessage, silentLogger } from '@parley/sdk/testing';
import { expect, it, vi } from 'vitest';
import { completeConfig } from '../pipelines/complete-config.ts';
import { AnswerRun, type AnswerRunOptions } from './answer-run.ts';

it('searches knowledge bases for the message that is answered', async () => {
  const asking: Runner = {
    name: 'local-agent',
    label: { en_US: 'Asking' },
    async *answer({ signal }, { retrieve }): AsyncGenerator<RunnerDelta> {
      const { passages } = await retrieve(['base-1'], 'When?', signal);
      yield { type: 'text', text: String(passages.length) };
    },
  };
  const retrieve = vi.fn<AnswerRunOptions['retrieve']>(async () => ({ passages: [], failures: [] }));
  const answers = new AnswerRun(
    { history: async () => [] },
    {
      runners: [asking],
      openModel: () => Promise.reject(new Error('no model')),
      retrieve,
      tools: { forMessage: () => ({}) } as never,
      toolAccess: async () => () => null,
      media: {} as never,
      conversations: {} as never,
      fetchFor: () => globalThis.fetch,
      adminAddresses: async () => [],
      costOf: () => null,
      logger: silentLogger,
    },
  );
  const { signal } = new AbortController();
  const message = pipelineMessage({ uuid: 'message-1', session_type: 'group', session_id: '7' });
  const deltas: RunnerDelta[] = [];
  const written = answers.write(message, completeConfig({}), {
    signal,
    attach: () => undefined,
    withheld: () => undefined,
  });
  for await (const delta of written) deltas.push(delta);
  expect(deltas).toEqual([{ type: 'text', text: '0' }]);
  const asked_by = { session_id: 'group_7', message_uuid: 'message-1' };
  expect(retrieve).toHaveBeenCalledExactlyOnceWith(['base-1'], 'When?', { signal, asked_by });
});
