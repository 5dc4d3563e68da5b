import { providerError, type Runner, type RunnerDelta } from '@parley/sdk';
import { pipelineMessage, silentLogger } from '@parley/sdk/testing';
import { expect, it, vi } from 'vitest';
import { builtInSchema, completeConfig } from '../../../test/factories/pipeline-schema.ts';
import { Registry } from '../../lib/registry.ts';
import { StorageError } from '../../lib/storage-error.ts';
import { AnswerRun, type AnswerRunOptions } from './answer-run.ts';
import { ConversationMemory } from './conversation-memory.ts';

/** Runs a runner as the local agent, and collects what it says. */
async function answer(runner: Runner['answer'], options: Partial<AnswerRunOptions> = {}): Promise<RunnerDelta[]> {
  const answers = new AnswerRun(new ConversationMemory({ before: async () => [] }), {
    runners: new Registry<Runner>([{ name: 'local-agent', label: { en_US: 'Test' }, answer: runner }]),
    openModel: () => Promise.reject(new Error('no model')),
    retrieve: async () => ({ passages: [], failures: [] }),
    tools: { forMessage: () => ({}) } as never,
    toolAccess: async () => () => null,
    media: {} as never,
    attachmentTexts: { read: async () => null },
    conversations: {} as never,
    fetchFor: () => globalThis.fetch,
    adminAddresses: async () => [],
    costOf: async () => () => null,
    logger: silentLogger,
    ...options,
  });
  const message = pipelineMessage({ uuid: 'message-1', session_type: 'group', session_id: '7' });
  const written = answers.write(message, builtInSchema.read(completeConfig({})), {
    claim: 3,
    signal: new AbortController().signal,
    attach: () => undefined,
    withheld: () => undefined,
  });
  const deltas: RunnerDelta[] = [];
  for await (const delta of written) deltas.push(delta);
  return deltas;
}

it('searches knowledge bases for the message that is answered', async () => {
  const retrieve = vi.fn<AnswerRunOptions['retrieve']>(async () => ({ passages: [], failures: [] }));
  const deltas = await answer(
    async function* ({ signal }, context) {
      const { passages } = await context.retrieve(['base-1'], 'When?', signal);
      yield { type: 'text', text: String(passages.length) };
    },
    { retrieve },
  );
  expect(deltas).toEqual([{ type: 'text', text: '0' }]);
  const asked_by = { session_id: 'group_7', message_uuid: 'message-1' };
  const signal = expect.any(AbortSignal);
  expect(retrieve).toHaveBeenCalledExactlyOnceWith(['base-1'], 'When?', { signal, asked_by });
});

it('a broken connection to the database is not taken for a failure of the model provider', async () => {
  const broken = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const failure = new StorageError('unreachable', 'read ECONNRESET', { cause: broken, code: 'ECONNRESET' });
  const run = answer(
    async function* (_request, { openModel }) {
      await openModel('model-1').catch((error: unknown) => {
        throw providerError(error);
      });
    },
    { openModel: () => Promise.reject(failure) },
  );
  await expect(run).rejects.toBe(failure);
});

it('ends when a tool call shows that another replica answers the message, whatever the runner makes of it', async () => {
  const outdated = new StorageError('not_owner', 'The message is not claimed by this process any more');
  const forMessage = vi.fn(() => ({ list: async () => [], call: () => Promise.reject(outdated) }));
  let wasAborted = false;
  const run = answer(
    async function* ({ signal }, { tools }) {
      await tools.call('look_up', {}, signal).catch(() => undefined);
      wasAborted = signal.aborted;
      yield { type: 'text', text: 'The tool cannot be called' };
    },
    { tools: { forMessage } as never },
  );
  await expect(run).rejects.toBe(outdated);
  expect(wasAborted).toBe(true);
  expect(forMessage).toHaveBeenCalledWith(expect.objectContaining({ claim: 3 }), expect.anything(), expect.anything());
});

it('a provider that fails is the failure of the run', async () => {
  const failed = providerError(Object.assign(new Error('overloaded'), { statusCode: 503 }));
  // biome-ignore lint/correctness/useYield: it fails before it says anything
  const run = answer(async function* () {
    throw failed;
  });
  await expect(run).rejects.toBe(failed);
});
