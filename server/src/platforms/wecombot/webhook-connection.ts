import {
  DeliveryError,
  type DeliveryTarget,
  type MessageStream,
  type OutgoingMessage,
  ParleyError,
  type PlatformContext,
  type ReplyContext,
  type SendProgress,
  type SentMessage,
  type WebhookRequest,
  type WebhookResponse,
} from '@parley/sdk';
import type { AdapterConnection } from '../../kit/connections/connected-adapter.ts';
import { PlatformApi } from '../../kit/platform-calls/platform-api.ts';
import { recordAt, textAt } from '../../kit/services/values.ts';
import { digestOf } from '../../kit/streams/digest.ts';
import { noProgress } from '../../kit/streams/no-progress.ts';
import { takeFirstUse } from '../../kit/webhooks/signed-request.ts';
import type { WechatCrypto } from '../../kit/wechat-crypto.ts';
import { present } from '../../lib/clock.ts';
import { inTime } from '../../lib/waiting.ts';
import { requireSettings, type WecomBotSettings } from './config.ts';
import { failureOf } from './failure.ts';
import { feedbackId, Inbox } from './inbox.ts';
import { fetchMedia } from './media.ts';
import { PulledAnswer } from './pulled-answer.ts';
import { type FetchedStream, PulledStreams } from './pulled-streams.ts';
import { renderChain } from './render.ts';
import type { Timing } from './timing.ts';
import { cryptoOf, openRequest, requestWindow, sealResponse } from './webhook.ts';

/** What answers need: the stream of their question, and the address for one further reply. */
interface Context {
  stream: string;
  /** When the stream was begun, milliseconds since 1970. */
  begun: number;
  response_url: string;
}

/** Makes the response to a request. */
type Answers = (answer: object) => WebhookResponse;

/** The address for a reply is valid for an hour. @see https://developer.work.weixin.qq.com/document/path/101138 */
const replyMs = 3_600_000;
/** How long the response to a message waits for its stream at another replica, milliseconds. The platform waits 5 s. */
const passedMs = 2000;

/** A bot that the platform calls. Where it is not started, it stores messages; their streams are where it is. */
export class WebhookConnection implements AdapterConnection {
  readonly accountId: string;
  readonly #settings: WecomBotSettings;
  readonly #context: PlatformContext;
  readonly #timing: Timing;
  readonly #crypto: WechatCrypto;
  readonly #inbox: Inbox;
  readonly #streams: PulledStreams;
  readonly #closed = new AbortController();
  readonly #api: PlatformApi;
  /** Events that wait for a welcome text, by the id of their notice. */
  readonly #greetings = new Map<string, (text: string) => Promise<void>>();

  constructor(settings: WecomBotSettings, context: PlatformContext, timing: Timing) {
    requireSettings(settings);
    this.accountId = settings.BotId.trim();
    this.#settings = settings;
    this.#context = context;
    this.#timing = timing;
    this.#crypto = cryptoOf(settings);
    this.#inbox = new Inbox(context, { accountId: this.accountId, name: settings.robot_name.trim() });
    this.#streams = new PulledStreams(timing);
    const { signal: closed } = this.#closed;
    this.#api = new PlatformApi({ name: 'WeCom', fetch: context.fetch, closed, timeoutMs: timing.callMs });
  }

  /** The platform calls; there is nothing to connect. */
  async start(): Promise<void> {}

  async stop(): Promise<void> {
    this.#streams.stop();
    this.#closed.abort(new ParleyError('bot_not_running', 'The bot was stopped'));
  }

  async send(message: OutgoingMessage, progress: SendProgress = noProgress): Promise<SentMessage> {
    const greet = this.#greetings.get(textAt(message.reply_to?.context, 'greeting'));
    if (greet !== undefined) {
      await greet(
        renderChain(message.message_chain)
          .map((part) => ('text' in part ? part.text : ''))
          .join('\n'),
      );
      return {};
    }
    return this.stream(message, progress).finish(message.message_chain);
  }

  stream(message: Omit<OutgoingMessage, 'message_chain'>, progress: SendProgress = noProgress): MessageStream {
    const context = contextOf(message);
    if (context === null) {
      const text = 'By webhook, WeCom takes answers for an hour after their question, and no other messages';
      throw new DeliveryError('refused', 'reply_expired', text);
    }
    const { stream, begun, response_url } = context;
    return new PulledAnswer({
      stream: this.#streams.of(stream, begun, chatKey(message.target)),
      reply: (content) => this.#reply(response_url, content),
      progress,
      token: message.idempotency_token,
      context: this.#context,
      timing: this.#timing,
    });
  }

  async awaitTurn(): Promise<void> {}

  /** There is nothing to ask. */
  async probe(): Promise<void> {}

  fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { api_base_url: address, EncodingAESKey } = this.#settings;
    return fetchMedia(value, { context: this.#context, address, key: `${EncodingAESKey.trim()}=`, signal });
  }

  /** Keeps the streams of a conversation open. */
  noteTyping(target: DeliveryTarget): void {
    this.#streams.noteTyping(chatKey(target));
  }

  async handleWebhook(request: WebhookRequest): Promise<WebhookResponse> {
    const { body, id, nonce, sentAt } = openRequest(this.#crypto, request);
    const answers = (answer: object) => sealResponse(this.#crypto, answer, nonce);
    const { passOn } = this.#context;
    // Fetching a text changes nothing, and happens every second.
    if (body.msgtype === 'stream') {
      return passOn?.(request) ?? this.#fetched(textAt(recordAt(body, 'stream'), 'id'), answers);
    }
    if (passOn !== undefined && this.#isGreeted(body)) return passOn(request);
    // The replica that passed it on has stored it.
    if (request.is_passed_on === true && body.msgtype !== 'event') return this.#begun(body, present(), answers);
    // Whether the platform signs a message again that was not stored is not documented.
    return takeFirstUse(this.#context, { id, sentAt, window: requestWindow }, async () => {
      const begun = present();
      const response = await this.#taken(body, begun, answers);
      if (response !== null) return response;
      if (passOn === undefined) return this.#begun(body, begun, answers);
      const empty = () => answers({ msgtype: 'stream', stream: { id: streamIdOf(body), finish: false, content: '' } });
      return inTime(passOn(request).catch(empty), passedMs, empty);
    });
  }

  /** Whether the response to an event is the welcome text. */
  #isGreeted(body: Record<string, unknown>): boolean {
    const isOpened = textAt(recordAt(body, 'event'), 'eventtype') === 'enter_chat';
    return isOpened && this.#settings.welcome_text.trim() !== '';
  }

  #fetched(streamId: string, answers: Answers): WebhookResponse {
    const fetched = this.#streams.fetch(streamId);
    if (fetched === null) throw new ParleyError('not_found', 'There is no such stream');
    return streamResponse(fetched, answers);
  }

  /** @returns null for a message, whose stream is the response */
  async #taken(body: Record<string, unknown>, begun: number, answers: Answers): Promise<WebhookResponse | null> {
    const context: Context = { stream: streamIdOf(body), begun, response_url: textAt(body, 'response_url') };
    const greeting = this.#expectGreeting(body, answers);
    const isMessage = await this.#inbox.take(body, {
      message: () => ({ value: context, expires_at: new Date(begun + replyMs).toISOString(), uses: 2 }),
      greeting: greeting.context,
    });
    return isMessage ? null : greeting.response();
  }

  /** Begins the stream of a message. */
  #begun(body: Record<string, unknown>, begun: number, answers: Answers): WebhookResponse {
    const streamId = streamIdOf(body);
    const chat = body.chattype === 'group' ? `group ${textAt(body, 'chatid')}` : `person ${userIn(body)}`;
    const fetched = this.#streams.of(streamId, begun, chat).fetch();
    const feedback = { feedback: { id: feedbackId(streamId, textAt(body, 'msgid')) } };
    return streamResponse({ ...fetched, stream: { ...fetched.stream, ...feedback } }, answers);
  }

  /** A welcome text is sent in the response to its event. */
  #expectGreeting(
    body: Record<string, unknown>,
    answers: Answers,
  ): { context(): ReplyContext; response(): Promise<WebhookResponse> } {
    const { welcomeMs } = this.#timing;
    const id = textAt(body, 'msgid');
    const text = Promise.withResolvers<string | null>();
    const written = Promise.withResolvers<void>();
    written.promise.catch(() => undefined);
    const lost = () => written.reject(new DeliveryError('unknown', 'platform_failed', 'The greeting was not written'));
    let isExpected = false;
    const context = (): ReplyContext => {
      isExpected = this.#isGreeted(body);
      if (isExpected) {
        this.#greetings.set(id, (given) => {
          text.resolve(given);
          return written.promise;
        });
      }
      const expires_at = new Date(present() + welcomeMs).toISOString();
      return { value: { greeting: id }, expires_at, uses: 1 };
    };
    const response = async (): Promise<WebhookResponse> => {
      const given = isExpected ? await inTime(text.promise, welcomeMs, () => null) : null;
      this.#greetings.delete(id);
      if (given === null) return { status: 200 };
      const answer = answers({ msgtype: 'text', text: { content: given } });
      return { ...answer, onWritten: (wasWritten) => (wasWritten ? written.resolve() : lost()) };
    };
    return { context, response };
  }

  /** Sends a further reply to a question, which is possible once. */
  async #reply(url: string, content: string): Promise<void> {
    const expired = { reason: 'reply_expired' } as const;
    if (!/^https?:\/\//i.test(url))
      throw new DeliveryError('refused', 'reply_expired', 'The question has no reply URL');
    const json = { msgtype: 'markdown', markdown: { content } };
    const { status, body } = await this.#api.call({ method: 'POST', url, json, limit: url });
    const { errcode, errmsg } = recordAt({ body }, 'body');
    if (typeof errcode !== 'number' || status >= 500) {
      throw new DeliveryError('unknown', 'platform_failed', `WeCom gave an unexpected response (status ${status})`);
    }
    if (errcode !== 0) throw failureOf(errcode, String(errmsg ?? ''), expired);
  }
}

/** The same for a message that is delivered again, also after a restart, and on every replica. */
function streamIdOf(body: Record<string, unknown>): string {
  const messageId = textAt(body, 'msgid');
  return `s-${digestOf(messageId)}${digestOf([messageId])}`;
}

function streamResponse({ stream, sent }: FetchedStream, answers: Answers): WebhookResponse {
  return { ...answers({ msgtype: 'stream', stream }), onWritten: sent };
}

function contextOf({ reply_to }: Omit<OutgoingMessage, 'message_chain'>): Context | null {
  const given = recordAt({ ...reply_to }, 'context');
  const [stream, response_url] = [textAt(given, 'stream'), textAt(given, 'response_url')];
  return stream === '' ? null : { stream, response_url, begun: Number(given.begun) || 0 };
}

function chatKey({ session_type, session_id }: DeliveryTarget): string {
  return `${session_type} ${session_id}`;
}

function userIn(body: Record<string, unknown>): string {
  return textAt(recordAt(body, 'from'), 'userid');
}
