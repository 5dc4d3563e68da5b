import { DeliveryError } from '../../../src/delivery-error.ts';
import { ParleyError } from '../../../src/errors.ts';
import type { MessageEvent } from '../../../src/message-event.ts';
import type {
  DeliveryTarget,
  MessageNames,
  MessageStream,
  OutgoingMessage,
  PlatformAdapter,
  PlatformContext,
  SendProgress,
  SentMessage,
  WebhookRequest,
  WebhookResponse,
} from '../../../src/platform.ts';
import { InventedApi } from './api.ts';
import type { Shared } from './config.ts';
import { Connection } from './connection.ts';
import { GrowingAnswer } from './growing-answer.ts';
import { parseMessage } from './parse.ts';
import { PulledAnswer } from './pulled-answer.ts';
import { type Head, Sender } from './sender.ts';
import { verifyRequest } from './verify.ts';

/** An event of the platform. */
interface Event {
  id?: unknown;
  kind?: unknown;
  message?: { id?: unknown; chat?: { kind?: unknown; id?: unknown } };
  stream?: unknown;
  reason?: unknown;
}

const noProgress: SendProgress = { handle: null, isInterrupted: false, store: async () => undefined };

export class InventedAdapter implements PlatformAdapter {
  readonly handleWebhook?: Required<PlatformAdapter>['handleWebhook'];
  readonly #shared: Shared;
  readonly #context: PlatformContext;
  readonly #answers = new Set<GrowingAnswer | PulledAnswer>();
  readonly #unknownKinds = new Set<string>();
  #run: { api: InventedApi; sender: Sender; end: AbortController; connection: Connection | null } | null = null;
  #starting: Promise<void> | null = null;
  #accountId: string | null = null;
  /** Neither started nor stopped. */
  #isUnstarted = true;

  constructor(shared: Shared, context: PlatformContext) {
    this.#shared = shared;
    this.#context = context;
    if (shared.settings.transport === 'webhook') this.handleWebhook = (request) => this.#handleWebhook(request);
  }

  start(): Promise<void> {
    this.#isUnstarted = false;
    this.#starting ??= this.#start().catch(async (error: unknown) => {
      await this.stop();
      throw error;
    });
    return this.#starting;
  }

  async #start(): Promise<void> {
    const end = new AbortController();
    const api = new InventedApi(this.#shared, this.#context, end.signal);
    const sender = new Sender(api, this.#shared, this.#context);
    const take = (event: unknown, reply: (fields: object) => Promise<void>) => this.#takeFrame(event, reply);
    const parts = { api, shared: this.#shared, context: this.#context, closed: end.signal, take };
    const connection = this.#shared.settings.transport === 'websocket' ? new Connection(parts) : null;
    this.#run = { api, sender, end, connection };
    const { id } = await api.call({ method: 'GET', path: '/me' });
    this.#accountId = String(id);
    if (this.#shared.has('makes a call that does not exist')) await api.call({ path: '/you' }).catch(() => undefined);
    await connection?.start();
    if (this.#shared.has('leaves a timer')) setInterval(() => undefined, 1000);
    if (this.#run?.end !== end) throw stopped();
  }

  async stop(): Promise<void> {
    if (!this.#shared.has('takes requests after a stop')) this.#isUnstarted = false;
    const run = this.#run;
    this.#run = null;
    this.#starting = null;
    run?.end.abort(stopped());
    for (const answer of this.#answers) answer.end();
    await run?.connection?.stop();
  }

  accountId(): string | null {
    return this.#accountId;
  }

  async send(message: OutgoingMessage, progress = noProgress): Promise<SentMessage> {
    const { sender } = this.#current();
    if (progress.handle !== null && !this.#shared.has('ignores the handle')) {
      return (await this.stream(message, progress)).finish(message.message_chain);
    }
    return { platform_message_id: await sender.send(message, message.message_chain) };
  }

  async stream(head: Head, progress = noProgress): Promise<MessageStream> {
    const { sender } = this.#current();
    const Answer = head.target.session_type === 'group' ? GrowingAnswer : PulledAnswer;
    const answer = new Answer(head, progress, sender, this.#shared);
    this.#answers.add(answer);
    return answer;
  }

  async fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const response = await this.#current().api.open(String((value as { url?: unknown }).url), signal);
    if (response.status === 404) throw new ParleyError('not_found', 'The platform does not have the file any more');
    if (!response.ok || response.headers.get('x-invented-file') === null || response.body === null) {
      throw new ParleyError('platform_failed', `The platform did not give the file (${response.status})`);
    }
    return response.body;
  }

  async showTyping(target: DeliveryTarget): Promise<void> {
    await this.#current().sender.showTyping(target);
  }

  async namesOf({ session_id }: DeliveryTarget, senderId: string): Promise<MessageNames> {
    const query = new URLSearchParams({ chat: session_id, user: senderId });
    const { user, chat } = await this.#current().api.call({ method: 'GET', path: `/names?${query}` });
    return { sender_name: String(user), group_name: String(chat) };
  }

  async #handleWebhook(request: WebhookRequest): Promise<WebhookResponse> {
    if (!this.#isUnstarted || this.#shared.has('takes requests only after a start')) this.#current();
    const id = await verifyRequest(request, this.#shared, this.#context);
    try {
      return await this.#handled(request);
    } catch (error) {
      await this.#context.forgetUse(id);
      throw error;
    }
  }

  async #handled(request: WebhookRequest): Promise<WebhookResponse> {
    let event: Event;
    try {
      event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(request.body)) as Event;
    } catch {
      throw new ParleyError('invalid_request', 'The body is not JSON');
    }
    if (event?.kind === 'poll' && this.#context.passOn !== undefined) return this.#context.passOn(request);
    const polled = this.#polled(event);
    if (polled !== null) {
      const { text, done, sent } = polled;
      return { status: 200, content_type: 'application/json', body: JSON.stringify({ text, done }), onWritten: sent };
    }
    await this.#take(event);
    return { status: 200 };
  }

  async #takeFrame(value: unknown, reply: (fields: object) => Promise<void>): Promise<void> {
    const polled = this.#polled((value ?? {}) as Event);
    if (polled === null) {
      const isEarly = this.#shared.has('acknowledges before storing');
      if (isEarly) await reply({});
      await this.#take((value ?? {}) as Event);
      if (!isEarly) await reply({});
      return;
    }
    const { text, done, sent } = polled;
    await reply({ text, done });
    sent(true);
  }

  #polled(event: Event) {
    if (event?.kind !== 'poll') return null;
    const answer = this.#answerOf(String(event.stream));
    if (answer instanceof PulledAnswer) return answer.poll();
    // A later attempt may take it up again, so the platform is not told that it is over.
    throw new ParleyError('not_found', 'There is no such stream');
  }

  #answerOf(id: string) {
    return [...this.#answers].findLast((answer) => answer.shows(id));
  }

  /** @throws the error of the store, so that the platform sends it again */
  async #take(event: Event): Promise<void> {
    const { kind, message, stream, reason } = event ?? {};
    const id = String(message?.id);
    if (kind === 'message' || kind === 'mention') return this.#receive(event);
    if (kind === 'recalled') await this.#context.receiveNotice({ type: 'recalled', platform_message_id: id });
    if (kind === 'edited') {
      const read = parseMessage(message, this.#ownId(), this.#shared);
      if (read === null) return;
      const { platform_message_id, message_chain } = read;
      await this.#context.receiveNotice({ type: 'edited', platform_message_id, message_chain });
    }
    if (kind === 'joined') {
      const session_id = String(message?.chat?.id);
      const session_type = message?.chat?.kind === 'group' ? 'group' : 'person';
      const place = { session_type, session_id } as const;
      await this.#context.receiveNotice({ type: 'bot_added', platform_event_id: String(event.id), ...place });
    }
    if (kind === 'failed' && !this.#shared.has('ignores late failures')) {
      await this.#context.reportFailure(
        id,
        new DeliveryError('refused', 'platform_failed', `Failed: ${String(reason)}`),
      );
    }
    const answer = this.#answerOf(String(stream));
    if (kind === 'stopped') answer?.stop();
    if (kind === 'closed' && answer instanceof PulledAnswer) answer.close();
  }

  async #receive({ id, kind, message }: Event): Promise<void> {
    const { has } = this.#shared;
    const event = parseMessage(message, this.#ownId(), this.#shared);
    if (event === null) return;
    this.#noteUnknown(event);
    if (has('new id for a redelivery')) event.platform_message_id += `-${Date.now()}-${Math.random()}`;
    if (has('id of the event')) event.platform_message_id = `${event.platform_message_id}-${kind}-${String(id)}`;
    if (has('fetches before storing')) {
      for (const { value } of event.media ?? []) await this.fetchMedia(value, AbortSignal.timeout(1000));
    }
    const storing = this.#context.receive(event);
    if (has('acknowledges before storing')) storing.catch(() => undefined);
    else await storing;
  }

  /** @throws ParleyError while it is not known */
  #ownId(): string {
    const id = this.#accountId ?? this.#context.storedAccount()?.id;
    if (id === undefined) throw stopped();
    return id;
  }

  /** Each kind that is not known is logged once. */
  #noteUnknown({ message_chain }: MessageEvent): void {
    for (const element of message_chain) {
      if (element.type !== 'Unknown' || this.#unknownKinds.has(element.text ?? '')) continue;
      this.#unknownKinds.add(element.text ?? '');
      this.#context.logger.warn({ kind: element.text }, 'a message has an unknown kind of content');
    }
  }

  #current() {
    if (this.#run === null) throw stopped();
    return this.#run;
  }
}

function stopped(): ParleyError {
  return new ParleyError('bot_not_running', 'The bot is not connected');
}
