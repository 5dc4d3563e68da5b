import {
  type DeliveryTarget,
  type MessageStream,
  type OutgoingMessage,
  ParleyError,
  type PlatformContext,
  type SendProgress,
  type SentMessage,
} from '@parley/sdk';
import type { AdapterConnection } from '../../kit/connections/connected-adapter.ts';
import type { ArrivalQueue, ArrivalQueues } from '../../kit/retry/arrival-queue.ts';
import { untilStored } from '../../kit/retry/until-stored.ts';
import { textAt } from '../../kit/services/values.ts';
import { noProgress } from '../../kit/streams/no-progress.ts';
import { present } from '../../lib/clock.ts';
import { requireSettings, type WecomBotSettings } from './config.ts';
import { asDeliveryError } from './failure.ts';
import { FrameLink } from './frame-link.ts';
import { Inbox } from './inbox.ts';
import { fetchMedia } from './media.ts';
import { Outbox } from './outbox.ts';
import { renderChain } from './render.ts';
import { StreamedMessage } from './streamed-message.ts';
import type { Timing } from './timing.ts';

/** An answer is taken as one for so long, milliseconds. @see https://developer.work.weixin.qq.com/document/path/101463 */
const replyMs = 24 * 3_600_000;
/** A greeting is taken for so long after its event, milliseconds; the platform waits 5 seconds. */
const greetingMs = 4000;

export interface SocketConnectionOptions {
  timing: Timing;
  /** What bots have received and not stored yet. */
  queues: ArrivalQueues;
}

/** A bot with a long connection. */
export class SocketConnection implements AdapterConnection {
  readonly accountId: string;
  readonly #settings: WecomBotSettings;
  readonly #context: PlatformContext;
  readonly #timing: Timing;
  readonly #link: FrameLink;
  readonly #inbox: Inbox;
  readonly #outbox: Outbox;
  readonly #closed = new AbortController();
  readonly #queues: ArrivalQueues;
  readonly #queue: ArrivalQueue;

  constructor(settings: WecomBotSettings, context: PlatformContext, { timing, queues }: SocketConnectionOptions) {
    requireSettings(settings);
    this.accountId = settings.BotId.trim();
    this.#settings = settings;
    this.#context = context;
    this.#timing = timing;
    this.#queues = queues;
    this.#queue = queues.open(context.bot_uuid);
    const { openSocket, logger } = context;
    const report: PlatformContext['reportConnection'] = (change) => context.reportConnection(change);
    const take = (body: Record<string, unknown>, reqId: string) => this.#take(body, reqId);
    this.#link = new FrameLink({ settings, openSocket, take, report, logger, timing });
    this.#inbox = new Inbox(context, { accountId: this.accountId, name: settings.robot_name.trim() });
    this.#outbox = new Outbox({ link: this.#link, context, timing, closed: this.#closed.signal });
  }

  start(): Promise<void> {
    return this.#link.start();
  }

  async stop(): Promise<void> {
    this.#closed.abort(new ParleyError('bot_not_running', 'The bot was stopped'));
    await this.#link.stop();
    await this.#queues.close(this.#context.bot_uuid, this.#queue, this.#timing.stopMs);
  }

  async send(message: OutgoingMessage, progress: SendProgress = noProgress): Promise<SentMessage> {
    const greeted = textAt(message.reply_to?.context, 'greeting');
    if (greeted === '') return this.stream(message, progress).finish(message.message_chain);
    const [part] = renderChain(message.message_chain);
    await this.#outbox.greet(greeted, part !== undefined && 'text' in part ? part.text : '');
    return {};
  }

  stream(message: Omit<OutgoingMessage, 'message_chain'>, progress: SendProgress = noProgress): MessageStream {
    const { target, reply_to, idempotency_token: token } = message;
    const place = { target, reqId: textAt(reply_to?.context, 'req_id') || null };
    const questionId = reply_to?.platform_message_id ?? '';
    return new StreamedMessage(place, { outbox: this.#outbox, progress, token, questionId, timing: this.#timing });
  }

  awaitTurn(target: DeliveryTarget, signal: AbortSignal): Promise<void> {
    return this.#outbox.awaitTurn(target, signal);
  }

  fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { websocket_url: address } = this.#settings;
    return fetchMedia(value, { context: this.#context, address, key: '', signal });
  }

  /** Checks the connection. A refusal counts as an answer: sending will fail and report it. */
  async probe(): Promise<void> {
    try {
      await this.#link.request('ping', {}, { isRepeatable: true });
    } catch (error) {
      const failure = asDeliveryError(error);
      if (failure.kind !== 'refused') throw failure;
    }
  }

  /** Messages and events are stored one after the other: the platform sends each once, and their order counts. */
  #take(body: Record<string, unknown>, req_id: string): void {
    const { logger, bot_uuid } = this.#context;
    const isAdded = this.#queue.add('', () =>
      this.#stored(body, req_id).catch((error: unknown) =>
        logger.error({ bot: bot_uuid, error }, 'a message of WeCom was lost'),
      ),
    );
    if (!isAdded) logger.error({ bot: bot_uuid }, 'a message of WeCom was lost: too many wait to be stored');
  }

  #stored(body: Record<string, unknown>, req_id: string): Promise<void> {
    const { storePauseMs: firstPauseMs, longestStorePauseMs: longestPauseMs } = this.#timing;
    const received = present();
    const until = (milliseconds: number) => new Date(received + milliseconds).toISOString();
    const contexts = {
      message: () => ({ value: { req_id }, expires_at: until(replyMs) }),
      greeting: () => ({ value: { greeting: req_id }, expires_at: until(greetingMs), uses: 1 }),
    };
    const take = () => this.#inbox.take(body, contexts);
    return untilStored(take, { context: this.#context, firstPauseMs, longestPauseMs });
  }
}
