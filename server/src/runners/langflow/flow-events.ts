import { ParleyError } from '@parley/sdk';
import type { ServiceAnswer } from '../../kit/services/service-answer.ts';
import type { ServiceClient } from '../../kit/services/service-client.ts';
import { isRecord, textAt } from '../../kit/services/values.ts';

/** Longest line, characters. */
const longestLine = 16 * 1024 * 1024;

/** Something that happened while a flow ran. */
export interface FlowEvent {
  event: string;
  data: unknown;
}

/**
 * The events of a running flow. Langflow declares server-sent events but writes JSON lines; both are accepted.
 * @throws ParleyError for invalid data
 */
export async function* flowEvents(answer: ServiceAnswer, client: ServiceClient): AsyncGenerator<FlowEvent> {
  for await (const line of linesOf(answer, client)) {
    const text = line.replace(/^data:/, '').trim();
    if (text === '' || text === '[DONE]' || /^(event|id|retry)?:/.test(text)) continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new ParleyError('provider_failed', `An event of ${client.name} is malformed: it is not JSON.`);
    }
    if (!isRecord(value)) throw client.malformed('An event is not an object.');
    yield { event: textAt(value, 'event'), data: value.data };
  }
}

async function* linesOf(answer: ServiceAnswer, client: ServiceClient): AsyncGenerator<string> {
  // An incomplete line is collected in parts, so that a long one is concatenated once.
  let waiting: string[] = [];
  let length = 0;
  for await (const piece of answer.pieces()) {
    const lines = piece.split('\n');
    for (const [index, line] of lines.entries()) {
      waiting.push(line);
      length += line.length;
      if (length > longestLine) {
        throw new ParleyError('provider_failed', `An event of ${client.name} is too long.`);
      }
      if (index === lines.length - 1) continue;
      yield waiting.join('');
      client.signal.throwIfAborted();
      waiting = [];
      length = 0;
    }
  }
  yield waiting.join('');
}
