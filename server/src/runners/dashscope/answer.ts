import type { RunnerDelta } from '@parley/sdk';
import type { CallClock } from '../../kit/services/call-clock.ts';
import type { ServiceAnswer } from '../../kit/services/service-answer.ts';
import type { ServiceClient, ServiceRefusal } from '../../kit/services/service-client.ts';
import { countAt, identifierAt, isRecord, listAt, recordAt, textAt } from '../../kit/services/values.ts';
import type { References } from './references.ts';

/** Models of one answer that are recorded. */
const maximumModels = 20;

/** Reads the stream of one answer. */
export class DashscopeAnswer {
  /** The service's id of the conversation, once known. */
  session: string | null = null;
  readonly #client: ServiceClient;
  readonly #clock: CallClock;
  readonly #references: References;
  #usage: unknown[] = [];
  /** Nodes of a workflow have sent text, so its final text would repeat it. */
  #nodesSpoke = false;

  constructor(client: ServiceClient, clock: CallClock, references: References) {
    this.#client = client;
    this.#clock = clock;
    this.#references = references;
  }

  /** @throws ServiceRefusal when it reports a failure; ParleyError when the response is invalid */
  async *read(response: ServiceAnswer): AsyncGenerator<RunnerDelta> {
    let hasEnded = false;
    if (response.mediaType !== 'text/event-stream') {
      // Services in front of it may collect the stream.
      yield* this.#deltasOf('result', await response.json());
      hasEnded = true;
    } else {
      for await (const { event, data } of response.jsonEvents()) {
        yield* this.#deltasOf(event, data);
        const reason = textAt(recordAt(data, 'output'), 'finish_reason');
        hasEnded ||= reason !== '' && reason !== 'null';
      }
    }
    yield* this.#say(this.#references.end());
    for (const usage of this.#usage.slice(0, maximumModels)) {
      const tokens = { input: countAt(usage, 'input_tokens'), output: countAt(usage, 'output_tokens') };
      yield this.#clock.modelCall(textAt(usage, 'model_id') || 'dashscope', tokens);
    }
    if (!hasEnded) throw this.#client.malformed('It is incomplete.');
  }

  *#deltasOf(event: string, data: unknown): Generator<RunnerDelta> {
    const failure = failureIn(event, data, this.#client);
    if (failure !== null) throw failure;
    const output = recordAt(data, 'output');
    this.session = identifierAt(output, 'session_id') ?? this.session;
    this.#references.learn(output);
    // Each event tells all that was used so far.
    const models = listAt(recordAt(data, 'usage'), 'models');
    if (models.length > 0) this.#usage = models;
    for (const thought of listAt(output, 'thoughts')) {
      const text = textAt(thought, 'action_type') === 'reasoning' ? textAt(thought, 'thought') : '';
      if (text !== '') yield { type: 'reasoning', text };
    }
    const spoken = textAt(recordAt(recordAt(output, 'workflow_message'), 'message'), 'content');
    this.#nodesSpoke ||= spoken !== '';
    const text = spoken || (this.#nodesSpoke ? '' : textAt(output, 'text'));
    yield* this.#say(this.#references.add(text));
  }

  *#say(text: string): Generator<RunnerDelta> {
    if (text === '') return;
    this.#clock.piece();
    yield { type: 'text', text };
  }
}

/** The error that an event is; null when it is none. */
function failureIn(event: string, data: unknown, client: ServiceClient): ServiceRefusal | null {
  if (!isRecord(data)) throw client.malformed('An event is not an object.');
  const code = textAt(data, 'code');
  if (event !== 'error' && (code === '' || isRecord(data.output))) return null;
  return client.failure(statusOf(code), textAt(data, 'message') || code || 'no reason given', code);
}

/** Error codes of the service as HTTP statuses. */
function statusOf(code: string): number {
  if (/^(InvalidApiKey|AccessDenied)/.test(code)) return 401;
  if (/^(Throttling|Arrearage|AllocationQuota)/.test(code)) return 429;
  if (/Timeout/i.test(code)) return 504;
  if (/^(Invalid|.*NotFound|.*NotExist)/.test(code)) return 400;
  return 500;
}
