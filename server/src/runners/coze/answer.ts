import type { MessageElement, RunnerDelta } from '@parley/sdk';
import type { CallClock } from '../../kit/services/call-clock.ts';
import type { ServiceAnswer } from '../../kit/services/service-answer.ts';
import type { ServiceClient, ServiceRefusal } from '../../kit/services/service-client.ts';
import { countAt, identifierAt, isRecord, recordAt, textAt } from '../../kit/services/values.ts';

/** Error codes of the service as HTTP statuses. */
const statuses: Record<string, number> = {
  4000: 400,
  4008: 429,
  4009: 429,
  4011: 429,
  4013: 429,
  4019: 429,
  4100: 401,
  4101: 403,
  4200: 404,
  700012006: 401,
};

/** Reads the stream of one answer. */
export class CozeAnswer {
  /** The service's id of the conversation, once known. */
  conversation: string | null = null;
  readonly #client: ServiceClient;
  readonly #clock: CallClock;
  readonly #model: string;
  /** Ids of messages with streamed chunks. */
  readonly #streamed = new Set<string>();
  /** Id of the latest message. */
  #last: string | null = null;
  #hasEnded = false;

  /** @param model name in the record of the call, as the service does not return the models of a bot */
  constructor(client: ServiceClient, clock: CallClock, model: string) {
    this.#client = client;
    this.#clock = clock;
    this.#model = model;
  }

  /** @throws ServiceRefusal when it reports a failure; ParleyError when the response is invalid */
  async *read(response: ServiceAnswer): AsyncGenerator<RunnerDelta> {
    if (response.mediaType !== 'text/event-stream') {
      throw failureIn(await response.json(), this.#client) ?? this.#client.malformed('It is not a stream.');
    }
    for await (const { event, data } of response.jsonEvents()) {
      yield* this.#deltasOf(event, data);
      if (event === 'done') return;
    }
    if (!this.#hasEnded) throw this.#client.malformed('It is incomplete.');
  }

  *#deltasOf(event: string, data: unknown): Generator<RunnerDelta> {
    this.conversation = identifierAt(data, 'conversation_id') ?? this.conversation;
    switch (event) {
      case 'conversation.message.delta':
        yield* this.#pieceOf(data);
        break;
      case 'conversation.message.completed':
        yield* this.#wholeOf(data);
        break;
      case 'conversation.chat.completed':
        this.#hasEnded = true;
        yield* this.#usageIn(data);
        break;
      case 'conversation.chat.requires_action':
        throw this.#client.failure(500, 'the bot requires a plugin that runs on the client, which is not supported');
      case 'conversation.chat.failed':
        throw failureIn(recordAt(data, 'last_error'), this.#client) ?? this.#client.failure(500, 'the chat failed');
      case 'error':
        throw failureIn(data, this.#client) ?? this.#client.failure(500, 'the chat failed');
    }
  }

  *#pieceOf(message: unknown): Generator<RunnerDelta> {
    if (textAt(message, 'type') !== 'answer') return;
    const thought = textAt(message, 'reasoning_content');
    if (thought !== '') {
      this.#clock.piece();
      yield { type: 'reasoning', text: thought };
    }
    // Chunks other than text are unusable until complete.
    const text = textAt(message, 'content');
    if (text === '' || textAt(message, 'content_type') !== 'text') return;
    this.#streamed.add(textAt(message, 'id'));
    yield* this.#say(textAt(message, 'id'), text);
  }

  *#wholeOf(message: unknown): Generator<RunnerDelta> {
    const content = textAt(message, 'content');
    if (textAt(message, 'type') === 'function_call') {
      const name = textAt(parsed(content), 'name');
      if (name !== '') yield { type: 'tool_call', name };
      return;
    }
    const id = textAt(message, 'id');
    if (textAt(message, 'type') !== 'answer' || content === '' || this.#streamed.has(id)) return;
    if (textAt(message, 'content_type') === 'text') yield* this.#say(id, content);
    if (textAt(message, 'content_type') !== 'object_string') return;
    const parts = parsed(content);
    for (const part of Array.isArray(parts) ? parts : []) {
      const element = attachmentIn(part);
      if (element !== null) {
        this.#clock.piece();
        yield { type: 'attachment', element };
      } else if (textAt(part, 'text') !== '') yield* this.#say(id, textAt(part, 'text'));
    }
  }

  /** One message after the other, with an empty line between them. */
  *#say(id: string, text: string): Generator<RunnerDelta> {
    this.#clock.piece();
    const separator = this.#last === null || this.#last === id ? '' : '\n\n';
    this.#last = id;
    yield { type: 'text', text: separator + text };
  }

  *#usageIn(chat: unknown): Generator<RunnerDelta> {
    const usage = recordAt(chat, 'usage');
    const tokens = { input: countAt(usage, 'input_count'), output: countAt(usage, 'output_count') };
    if (tokens.input + tokens.output > 0) yield this.#clock.modelCall(this.#model, tokens);
  }
}

/** The error that an answer of the service is; null when it is none. */
export function failureIn(body: unknown, client: ServiceClient): ServiceRefusal | null {
  if (!isRecord(body)) return null;
  const code = String(body.code ?? 0);
  if (code === '0') return null;
  return client.failure(statuses[code] ?? 500, textAt(body, 'msg') || `code ${code}`, code);
}

function attachmentIn(part: unknown): MessageElement | null {
  const url = textAt(part, 'file_url');
  if (!/^https?:\/\//i.test(url)) return null;
  switch (textAt(part, 'type')) {
    case 'image':
      return { type: 'Image', url };
    case 'audio':
      return { type: 'Voice', url };
    case 'file':
      return { type: 'File', url, name: textAt(part, 'name') || 'file' };
    default:
      return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
