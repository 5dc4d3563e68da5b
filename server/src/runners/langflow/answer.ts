import type { RunnerDelta } from '@parley/sdk';
import type { ServiceAnswer } from '../../kit/services/service-answer.ts';
import type { ServiceClient } from '../../kit/services/service-client.ts';
import { listAt, textAt } from '../../kit/services/values.ts';
import { flowEvents } from './flow-events.ts';
import { textOfResult } from './flow-result.ts';

/** The answer of a flow. @throws ParleyError for a failure or invalid data */
export function answerDeltas(response: ServiceAnswer, client: ServiceClient): AsyncGenerator<RunnerDelta> {
  return response.mediaType === 'application/json' ? wholeOf(response, client) : deltasOf(response, client);
}

/** Flows without a chat output, and older servers, answer all at once. */
async function* wholeOf(response: ServiceAnswer, client: ServiceClient): AsyncGenerator<RunnerDelta> {
  const result = await response.json();
  if (listAt(result, 'outputs').length === 0) throw client.malformed(textAt(result, 'detail') || 'It has no outputs.');
  yield { type: 'text', text: textOfResult(result) };
}

async function* deltasOf(response: ServiceAnswer, client: ServiceClient): AsyncGenerator<RunnerDelta> {
  let said = '';
  for await (const { event, data } of flowEvents(response, client)) {
    if (event === 'error') {
      throw client.failure(null, textAt(data, 'error') || textAt(data, 'text') || 'the flow failed');
    }
    if (event === 'token') {
      const chunk = textAt(data, 'chunk');
      said += chunk;
      yield { type: 'text', text: chunk };
    }
    if (event === 'end') {
      const whole = textOfResult((data as { result?: unknown } | null)?.result);
      // A flow streams the text of a model; the rest of its output is only here.
      yield { type: 'text', text: whole.startsWith(said) ? whole.slice(said.length) : '' };
      return;
    }
  }
  throw client.malformed('It is incomplete.');
}
