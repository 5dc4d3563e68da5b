import type { RunnerDelta } from '@parley/sdk';
import type { CallClock } from '../../kit/services/call-clock.ts';
import type { ServiceAnswer } from '../../kit/services/service-answer.ts';
import type { ServiceClient, ServiceRefusal } from '../../kit/services/service-client.ts';
import { countAt, identifierAt, isRecord, listAt, recordAt, textAt } from '../../kit/services/values.ts';

/** Pictures that a model may make. */
const pictureFormats = new Set(['png', 'jpeg', 'webp']);

/** Reads the stream of one answer. */
export class ResponsesAnswer {
  /** The service's id of the answer, once complete. */
  id: string | null = null;
  readonly #client: ServiceClient;
  readonly #clock: CallClock;
  readonly #model: string;
  /** Ids of items already reported. */
  readonly #known = new Set<string>();
  /** Id of the latest item. */
  #last: string | null = null;

  /** @param model the record of the call names it where the service does not */
  constructor(client: ServiceClient, clock: CallClock, model: string) {
    this.#client = client;
    this.#clock = clock;
    this.#model = model;
  }

  /** @throws ServiceRefusal when it reports a failure; ParleyError when the response is invalid */
  async *read(answer: ServiceAnswer): AsyncGenerator<RunnerDelta> {
    if (answer.mediaType !== 'text/event-stream') {
      yield* this.#endOf(await answer.json());
      return;
    }
    for await (const { event, data } of answer.jsonEvents()) {
      if (!isRecord(data)) throw this.#client.malformed('An event is not an object.');
      const type = textAt(data, 'type') || event;
      yield* this.#deltasOf(type, data);
      if (this.id !== null) return;
    }
    throw this.#client.malformed('It is incomplete.');
  }

  *#deltasOf(type: string, data: Record<string, unknown>): Generator<RunnerDelta> {
    switch (type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        yield* this.#say(textAt(data, 'item_id'), textAt(data, 'delta'));
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        yield* this.#think(textAt(data, 'delta'));
        break;
      case 'response.output_item.added':
        yield* calledIn(data.item);
        break;
      case 'response.output_item.done':
        yield* this.#pictureIn(data.item);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        yield* this.#endOf(data.response);
        break;
      case 'error':
        throw this.#failure(isRecord(data.error) ? data.error : data);
    }
  }

  /** The complete answer, which may contain more than the streamed chunks. */
  *#endOf(response: unknown): Generator<RunnerDelta> {
    const status = textAt(response, 'status');
    if (isRecord(response) && isRecord(response.error)) throw this.#failure(response.error);
    if (status === 'failed' || status === 'cancelled') throw this.#failure({});
    const why = textAt(recordAt(response, 'incomplete_details'), 'reason');
    if (why === 'content_filter') throw this.#client.failure(500, 'a content filter of the service stopped the answer');
    const id = identifierAt(response, 'id');
    if (id === null) throw this.#client.malformed('It has no id.');
    const streamed = new Set(this.#known);
    for (const item of listAt(response, 'output')) {
      yield* this.#pictureIn(item);
      if (streamed.has(textAt(item, 'id')) || textAt(item, 'type') !== 'message') continue;
      for (const part of listAt(item, 'content')) {
        yield* this.#say(textAt(item, 'id'), textAt(part, 'text') || textAt(part, 'refusal'));
      }
    }
    const usage = recordAt(response, 'usage');
    const tokens = { input: countAt(usage, 'input_tokens'), output: countAt(usage, 'output_tokens') };
    if (tokens.input + tokens.output > 0) {
      yield this.#clock.modelCall(textAt(response, 'model') || this.#model, tokens);
    }
    this.id = id;
  }

  /** One item after the other, with an empty line between them. */
  *#say(item: string, text: string): Generator<RunnerDelta> {
    if (text === '') return;
    this.#clock.piece();
    this.#known.add(item);
    const separator = this.#last === null || this.#last === item ? '' : '\n\n';
    this.#last = item;
    yield { type: 'text', text: separator + text };
  }

  *#think(text: string): Generator<RunnerDelta> {
    this.#clock.piece();
    yield { type: 'reasoning', text };
  }

  *#pictureIn(item: unknown): Generator<RunnerDelta> {
    const id = textAt(item, 'id');
    const base64 = textAt(item, 'result');
    if (textAt(item, 'type') !== 'image_generation_call' || base64 === '' || this.#known.has(id)) return;
    this.#clock.piece();
    this.#known.add(id);
    const format = textAt(item, 'output_format');
    const type = pictureFormats.has(format) ? format : 'png';
    yield { type: 'attachment', element: { type: 'Image', base64: `data:image/${type};base64,${base64}` } };
  }

  #failure(error: Record<string, unknown>): ServiceRefusal {
    const code = textAt(error, 'code') || textAt(error, 'type');
    return this.#client.failure(statusOf(code), textAt(error, 'message') || code || 'no reason given', code || null);
  }
}

/** Tools that the service runs itself. */
function* calledIn(item: unknown): Generator<RunnerDelta> {
  const type = textAt(item, 'type');
  if (!type.endsWith('_call') || type === 'function_call') return;
  yield { type: 'tool_call', name: textAt(item, 'name') || type.slice(0, -'_call'.length) };
}

/** Error codes of the service as HTTP statuses. */
function statusOf(code: string): number {
  if (/rate_limit|quota|billing/.test(code)) return 429;
  if (/api_key|authentication|permission/.test(code)) return 401;
  return /^invalid|not_found$/.test(code) ? 400 : 500;
}
