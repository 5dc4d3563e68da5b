import { ParleyError, type RunnerDelta } from '@parley/sdk';
import type { CallClock } from '../../kit/services/call-clock.ts';
import type { ServiceAnswer } from '../../kit/services/service-answer.ts';
import type { ServiceClient } from '../../kit/services/service-client.ts';
import { countAt, isRecord, recordAt, textAt } from '../../kit/services/values.ts';
import type { AnswerFiles } from './answer-files.ts';
import { expectGoodRun, paused, reportedFailure } from './failures.ts';

/** Outputs that hold the answer, the first one there is. */
const namesOfAnswer = ['summary', 'text', 'answer', 'result', 'output'];

export interface WorkflowOptions {
  client: ServiceClient;
  clock: CallClock;
  files: AnswerFiles;
}

/**
 * The answer of a workflow, from its events: streamed text or, if there is none, one of its outputs.
 * @throws ParleyError when Dify reports a failure, or the stream ends before the run is finished
 */
export async function* workflowDeltas(
  answer: ServiceAnswer,
  { client, clock, files }: WorkflowOptions,
): AsyncGenerator<RunnerDelta> {
  const tokens = { input: 0, output: 0 };
  let saidSomething = false;
  for await (const { data } of answer.jsonEvents()) {
    if (!isRecord(data)) throw client.malformed('an event is not an object.');
    const inner = recordAt(data, 'data');
    switch (data.event) {
      case 'text_chunk': {
        const text = textAt(inner, 'text');
        if (text === '') break;
        clock.piece();
        saidSomething = true;
        yield { type: 'text', text };
        break;
      }
      case 'node_finished': {
        const usage = usageOf(inner);
        tokens.input += countAt(usage, 'prompt_tokens');
        tokens.output += countAt(usage, 'completion_tokens');
        break;
      }
      case 'workflow_paused':
        throw paused();
      case 'workflow_finished': {
        expectGoodRun(inner, client);
        const outputs = recordAt(inner, 'outputs');
        const text = saidSomething ? '' : textOf(outputs);
        if (text !== '') clock.piece();
        yield { type: 'text', text };
        for (const output of Object.values(outputs)) yield* files.attached(output);
        if (tokens.input + tokens.output > 0) yield clock.modelCall('Dify', tokens);
        return;
      }
      case 'error':
        throw reportedFailure(data, client);
    }
  }
  throw new ParleyError('provider_failed', 'The answer of Dify broke off.');
}

/** Token usage of a node, which is in one of two places. */
function usageOf(node: Record<string, unknown>): Record<string, unknown> {
  const usage = recordAt(recordAt(node, 'process_data'), 'usage');
  return Object.keys(usage).length > 0 ? usage : recordAt(recordAt(node, 'outputs'), 'usage');
}

function textOf(outputs: Record<string, unknown>): string {
  const named = namesOfAnswer.map((name) => outputs[name]).find((value) => value !== undefined && value !== null);
  if (named !== undefined && !isFile(named)) return typeof named === 'string' ? named : JSON.stringify(named);
  const texts = Object.values(outputs).filter((value) => typeof value === 'string');
  if (texts.length > 1) {
    const message = `The workflow has several outputs and none is called ${namesOfAnswer.join(', ')}.`;
    throw new ParleyError('provider_failed', message);
  }
  return texts[0] ?? '';
}

function isFile(value: unknown): boolean {
  const first = Array.isArray(value) ? value[0] : value;
  return isRecord(first) && first.dify_model_identity === '__dify__file__';
}
