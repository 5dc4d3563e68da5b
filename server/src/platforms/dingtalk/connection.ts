import {
  type DeliveryTarget,
  type MessageStream,
  type OutgoingMessage,
  ParleyError,
  type PlatformContext,
  type SendProgress,
  type SentMessage,
} from '@parley/sdk';
import { ChatPace } from '../../kit/pace/chat-pace.ts';
import { noProgress } from '../../kit/streams/no-progress.ts';
import { objectOf, textOf } from '../../lib/loose-values.ts';
import { Answer, hasCards } from './answer.ts';
import { Cards } from './cards.ts';
import { type DingTalkSettings, requireSettings, robotCodeOf } from './config.ts';
import { DingTalkApi } from './dingtalk-api.ts';
import { asDeliveryError, startFailure } from './failure.ts';
import { Inbox } from './inbox.ts';
import { fetchMedia } from './media.ts';
import { Outbox } from './outbox.ts';
import { StreamClient } from './stream-client.ts';
import { isOutsider } from './target.ts';
import type { Timing } from './timing.ts';

type Head = Omit<OutgoingMessage, 'message_chain'>;

/** The connection of one bot, from its creation to its end. */
export class Connection {
  readonly accountId: string;
  readonly #timing: Timing;
  readonly #api: DingTalkApi;
  readonly #outbox: Outbox;
  readonly #cards: Cards;
  readonly #client: StreamClient;
  readonly #pace = new ChatPace();
  readonly #ended = new AbortController();

  /** @throws ParleyError `invalid_request` when a setting cannot be right */
  constructor(settings: DingTalkSettings, context: PlatformContext, timing: Timing) {
    requireSettings(settings);
    const robotCode = robotCodeOf(settings);
    this.accountId = robotCode;
    this.#timing = timing;
    const api = new DingTalkApi({ settings, fetch: context.fetch, closed: this.#ended.signal, timing });
    this.#api = api;
    const { markdown_card: isMarkdown, card_template_id, card_auto_layout: autoLayout } = settings;
    this.#outbox = new Outbox({ api, context, robotCode, isMarkdown });
    this.#cards = new Cards({ api, robotCode, templateId: card_template_id.trim(), autoLayout });
    const mayCall = (webhook: string) => api.isOfDingTalk(webhook);
    const reader = { accountId: robotCode, robotName: settings.robot_name, mayCall };
    const { storePauseMs: firstPauseMs, longestStorePauseMs: longestPauseMs } = timing;
    const inbox = new Inbox(context, reader, { firstPauseMs, longestPauseMs });
    this.#client = new StreamClient({ api, context, timing, take: (data) => inbox.take(data) });
  }

  /** @throws ParleyError `platform_unauthorized` or `platform_failed` */
  async start(): Promise<void> {
    try {
      await this.#api.authorize();
      await this.#client.start();
    } catch (error) {
      throw startFailure(error);
    }
  }

  async stop(): Promise<void> {
    await this.#client.stop();
    this.#ended.abort(new ParleyError('bot_not_running', 'The bot was stopped'));
  }

  /** Sends a message; one that an earlier attempt showed in cards is completed there. */
  send(message: OutgoingMessage, progress: SendProgress = noProgress): Promise<SentMessage> {
    return this.#answer(message, progress, hasCards(progress)).finish(message.message_chain);
  }

  stream(message: Head, progress: SendProgress = noProgress): MessageStream {
    const whole = this.#answer(message, progress, !isOutsider(message.target));
    if (!isOutsider(message.target)) return whole;
    // Cards do not reach them, and messages cannot be changed.
    return { update: async () => undefined, finish: (chain) => whole.finish(chain) };
  }

  /** @throws the signal's reason */
  awaitTurn({ session_id }: DeliveryTarget, signal: AbortSignal): Promise<void> {
    const { sendMs: intervalMs, sendBurst: burst } = this.#timing;
    return this.#pace.waitTurn(session_id, { intervalMs, burst }, signal);
  }

  fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return fetchMedia(value, { api: this.#api, robotCode: this.accountId, signal });
  }

  /** Checks the connection. A refusal counts as an answer: sending will fail and report it. */
  async probe(): Promise<void> {
    try {
      await this.#api.fetchToken();
    } catch (error) {
      const failure = asDeliveryError(error);
      if (failure.kind !== 'refused') throw failure;
    }
  }

  #answer({ target, reply_to, idempotency_token: token }: Head, progress: SendProgress, isCards: boolean): Answer {
    const webhook = textOf(objectOf(reply_to?.context).webhook) || null;
    const cards = isCards ? this.#cards : null;
    return new Answer({ target, webhook }, { outbox: this.#outbox, cards, progress, token });
  }
}
