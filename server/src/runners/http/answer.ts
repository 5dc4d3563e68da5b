import { type MessageElement, messageElements, type RunnerDelta } from '@parley/sdk';
import { Check } from 'typebox/value';
import type { CallClock } from '../../kit/services/call-clock.ts';
import type { RememberConversation } from '../../kit/services/conversation-session.ts';
import type { ServiceAnswer } from '../../kit/services/service-answer.ts';
import type { ServiceClient } from '../../kit/services/service-client.ts';
import { countAt, isRecord, listAt, recordAt, textAt } from '../../kit/services/values.ts';
import { JsonObjects } from '../../lib/json-objects.ts';

const lines = new Set(['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines']);
const typesOfAttachments = new Set(['Image', 'Voice', 'File']);
const maximumIdentifier = 1000;

export interface AnswerOptions {
  client: ServiceClient;
  clock: CallClock;
  /** Called with the service's conversation id, possibly repeatedly. */
  remember: RememberConversation;
}

/**
 * The response of a service: JSON, plain text, server-sent events or JSON lines, by its media type.
 * @throws ParleyError when it reports a failure, or returns an invalid response
 */
export async function* answerDeltas(answer: ServiceAnswer, options: AnswerOptions): AsyncGenerator<RunnerDelta> {
  const { mediaType } = answer;
  const { client } = options;
  if (mediaType === 'text/event-stream') {
    for await (const { data } of answer.jsonEvents()) {
      if (yield* deltasOf(data, options)) return;
    }
  } else if (lines.has(mediaType)) {
    const objects = new JsonObjects();
    for await (const piece of answer.pieces()) {
      for (const text of objects.feed(piece)) {
        if (yield* deltasOf(parsed(text, client), options)) return;
      }
    }
    if (objects.rest !== '') throw client.malformed('its last line is not JSON.');
  } else if (mediaType === 'application/json' || mediaType.endsWith('+json')) {
    yield* deltasOf(await answer.json(), options);
  } else if (mediaType === '' || mediaType.startsWith('text/')) {
    for await (const text of answer.pieces()) yield { type: 'text', text };
  } else {
    await answer.close();
    throw client.malformed(`it is ${mediaType.slice(0, 100)}.`);
  }
}

/** @returns whether nothing more follows */
async function* deltasOf(
  value: unknown,
  { client, clock, remember }: AnswerOptions,
): AsyncGenerator<RunnerDelta, boolean> {
  if (typeof value === 'string') {
    yield { type: 'text', text: value };
    return false;
  }
  if (!isRecord(value)) throw client.malformed('it is neither an object nor a text.');
  const conversation = identifierOf(value.conversation_id);
  await remember(conversation);
  if (value.error !== undefined && value.error !== null) throw failureIn(value.error, client);
  const tool = textAt(value, 'tool').slice(0, 255);
  if (tool !== '') yield { type: 'tool_call', name: tool };
  yield { type: 'reasoning', text: textAt(value, 'reasoning') };
  const text = textAt(value, 'delta') || textAt(value, 'text') || textAt(value, 'answer');
  if (text !== '') clock.piece();
  yield { type: 'text', text };
  for (const attachment of listAt(value, 'attachments')) {
    yield { type: 'attachment', element: elementOf(attachment, client) };
  }
  const usage = recordAt(value, 'usage');
  const tokens = { input: countAt(usage, 'input_tokens'), output: countAt(usage, 'output_tokens') };
  if (tokens.input + tokens.output > 0) yield clock.modelCall(textAt(usage, 'model') || 'HTTP service', tokens);
  return value.done === true;
}

function parsed(text: string, client: ServiceClient): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw client.malformed('a line is not JSON.');
  }
}

function identifierOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= maximumIdentifier ? text : null;
}

function failureIn(error: unknown, client: ServiceClient) {
  if (typeof error === 'string') return client.failure(null, error);
  const status = isRecord(error) && typeof error.status === 'number' ? error.status : null;
  return client.failure(status, textAt(error, 'message'));
}

/** Only elements with inline content or a URL: paths refer to this server's storage. */
function elementOf(value: unknown, client: ServiceClient): MessageElement {
  if (isRecord(value)) {
    const { path: _, ...element } = value;
    const { type, url, base64 } = element;
    const isKnown = typeof type === 'string' && typesOfAttachments.has(type);
    const hasContent = typeof base64 === 'string' && base64 !== '';
    const hasAddress = typeof url === 'string' && /^https?:\/\//i.test(url);
    if (isKnown && (hasContent || hasAddress) && Check(messageElements[type as 'Image'], element)) return element;
  }
  throw client.malformed('an attachment is not an Image, Voice or File with a url or base64.');
}
