import type { MessageElement, RunnerDelta } from '@parley/sdk';
import type { ServiceAnswer } from '../../kit/services/service-answer.ts';
import type { ServiceClient, ServiceRefusal } from '../../kit/services/service-client.ts';
import { identifierAt, isRecord, listAt, recordAt, textAt } from '../../kit/services/values.ts';

/** Reads one answer, which comes in lanes: one for each thing that an application puts out. */
export class TboxAnswer {
  /** The service's id of the conversation, once known. */
  conversation: string | null = null;
  readonly #client: ServiceClient;
  /** The latest lane. */
  #last: string | null = null;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  /**
   * The service does not mark the end of an answer.
   * @throws ServiceRefusal when it reports a failure; ParleyError when the response is invalid
   */
  async *read(response: ServiceAnswer): AsyncGenerator<RunnerDelta> {
    if (response.mediaType !== 'text/event-stream') {
      yield* this.#wholeOf(await response.json());
      return;
    }
    for await (const { event, data } of response.jsonEvents()) {
      if (!isRecord(data)) throw this.#client.malformed('An event is not an object.');
      if (event === 'error') throw failureIn(data, this.#client) ?? this.#failed(data);
      yield* this.#deltasOf(textAt(data, 'type'), textAt(data, 'lane'), data);
    }
  }

  *#deltasOf(type: string, lane: string, data: Record<string, unknown>): Generator<RunnerDelta> {
    const payload = payloadOf(data);
    this.conversation = identifierAt(payload, 'conversationId') ?? this.conversation;
    switch (type) {
      case 'chunk':
        for (const url of [payload.url ?? []].flat()) yield* attachmentOf(url);
        yield* this.#say(lane, textAt(payload, 'text'));
        break;
      case 'thinking': {
        const thought = textAt(recordAt(payload, 'ext_data'), 'text') || textAt(payload, 'text');
        if (thought !== '') yield { type: 'reasoning', text: thought };
        break;
      }
      case 'revoke':
        throw this.#client.failure(500, 'it retracted its answer');
      case 'error':
        throw failureIn(payload, this.#client) ?? failureIn(data, this.#client) ?? this.#failed(payload);
    }
  }

  /** Applications that do not stream answer all at once. */
  *#wholeOf(body: unknown): Generator<RunnerDelta> {
    const failure = failureIn(body, this.#client);
    if (failure !== null) throw failure;
    const data = recordAt(body, 'data');
    this.conversation = identifierAt(data, 'conversationId');
    for (const thought of listAt(data, 'reasoningContent')) {
      if (textAt(thought, 'text') !== '') yield { type: 'reasoning', text: textAt(thought, 'text') };
    }
    for (const [index, result] of listAt(data, 'result').entries()) {
      yield* this.#say(textAt(result, 'lane') || String(index), textAt(result, 'chunk') || textAt(result, 'text'));
    }
  }

  /** One lane after the other, with an empty line between them. */
  *#say(lane: string, text: string): Generator<RunnerDelta> {
    if (text === '') return;
    const separator = this.#last === null || this.#last === lane ? '' : '\n\n';
    this.#last = lane;
    yield { type: 'text', text: separator + text };
  }

  #failed(data: unknown): ServiceRefusal {
    const words = ['description', 'message', 'errorMsg'].map((field) => textAt(data, field));
    return this.#client.failure(500, words.find((text) => text !== '') ?? 'the application failed');
  }
}

/** The error that an answer of the service is; null when it is none. */
export function failureIn(body: unknown, client: ServiceClient): ServiceRefusal | null {
  if (!isRecord(body)) return null;
  const code = String(body.errorCode ?? '0');
  if (code === '0') return null;
  const status = /^[45]\d\d$/.test(code) ? Number(code) : 500;
  return client.failure(status, textAt(body, 'errorMsg') || `code ${code}`, code);
}

/** The payload of an event: an object, or JSON text of one. */
function payloadOf(data: Record<string, unknown>): Record<string, unknown> {
  if (typeof data.payload !== 'string') return recordAt(data, 'payload');
  try {
    const parsed: unknown = JSON.parse(data.payload);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function* attachmentOf(url: unknown): Generator<RunnerDelta> {
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return;
  const element: MessageElement = { type: 'Image', url };
  yield { type: 'attachment', element };
}
