import { ParleyError, type RunnerDelta } from '@parley/sdk';
import type { CallClock } from '../../kit/services/call-clock.ts';
import type { RememberConversation } from '../../kit/services/conversation-session.ts';
import type { ServiceAnswer } from '../../kit/services/service-answer.ts';
import type { ServiceClient } from '../../kit/services/service-client.ts';
import { countAt, identifierAt, isRecord, recordAt, textAt } from '../../kit/services/values.ts';
import type { AnswerFiles } from './answer-files.ts';
import { expectGoodRun, paused, reportedFailure } from './failures.ts';

export interface ChatOptions {
  client: ServiceClient;
  clock: CallClock;
  files: AnswerFiles;
  /** Called with Dify's conversation id, possibly repeatedly. */
  remember: RememberConversation;
}

/**
 * The answer of a chat or an agent, from its events.
 * @throws ParleyError when Dify reports a failure, or the stream ends before the answer is complete
 */
export async function* chatDeltas(
  answer: ServiceAnswer,
  { client, clock, files, remember }: ChatOptions,
): AsyncGenerator<RunnerDelta> {
  const thoughts = new Set<string>();
  let said = '';
  let isAgent = false;
  /** The final text of an answering node that was not streamed. */
  let atOnce = '';
  for await (const { data } of answer.jsonEvents()) {
    if (!isRecord(data)) throw client.malformed('an event is not an object.');
    const conversation = identifierAt(data, 'conversation_id');
    await remember(conversation);
    const inner = recordAt(data, 'data');
    switch (data.event) {
      case 'message':
      case 'agent_message': {
        const answered = textAt(data, 'answer');
        // Some agents send the complete text again at the end.
        const isWhole = isAgent && data.event === 'message';
        const text = isWhole ? restOf(answered, said) : answered;
        isAgent ||= data.event === 'agent_message';
        if (text === '') break;
        clock.piece();
        said += text;
        yield { type: 'text', text };
        break;
      }
      case 'message_replace': {
        // The application's moderation replaced the answer. Text already shown cannot be recalled, so the answer must
        // stop.
        const text = textAt(data, 'answer');
        if (!text.startsWith(said)) throw withheld();
        const rest = restOf(text, said);
        said = text;
        if (rest !== '') yield { type: 'text', text: rest };
        break;
      }
      case 'agent_thought':
        yield* toolsOf(data, thoughts);
        break;
      case 'message_file':
        if (data.belongs_to !== 'user') yield* files.attached(data);
        break;
      case 'node_finished':
        if (inner.node_type === 'answer') atOnce += textAt(recordAt(inner, 'outputs'), 'answer');
        break;
      case 'workflow_paused':
        throw paused();
      case 'workflow_finished':
        expectGoodRun(inner, client);
        break;
      case 'message_end': {
        if (said === '' && atOnce !== '') yield { type: 'text', text: atOnce };
        yield* files.attached(data.files);
        const usage = recordAt(recordAt(data, 'metadata'), 'usage');
        const tokens = { input: countAt(usage, 'prompt_tokens'), output: countAt(usage, 'completion_tokens') };
        if (tokens.input + tokens.output > 0) yield clock.modelCall('Dify', tokens);
        return;
      }
      case 'error':
        throw reportedFailure(data, client);
    }
  }
  throw new ParleyError('provider_failed', 'The answer of Dify broke off.');
}

/** The part of a text after its already sent start; nothing if it starts differently. */
function restOf(text: string, beginning: string): string {
  return text.startsWith(beginning) ? text.slice(beginning.length) : '';
}

/** An agent's thought is sent repeatedly with more text; the tools that it names are reported once. */
function* toolsOf(thought: Record<string, unknown>, known: Set<string>): Generator<RunnerDelta> {
  const names = textAt(thought, 'tool').split(';');
  for (const name of names.map((part) => part.trim().slice(0, 255))) {
    const place = `${textAt(thought, 'id')} ${name}`;
    if (name === '' || known.has(place)) continue;
    known.add(place);
    yield { type: 'tool_call', name };
  }
}

function withheld(): ParleyError {
  return new ParleyError('provider_failed', 'The moderation of Dify blocked the answer.');
}
