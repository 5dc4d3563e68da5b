import {
  type AccountProfile,
  type DeliveryTarget,
  type MessageNames,
  type MessageStream,
  type OutgoingMessage,
  ParleyError,
  type PlatformContext,
  type SendProgress,
  type SentMessage,
  type WebhookRequest,
  type WebhookResponse,
} from '@parley/sdk';
import { ChatPace } from '../../kit/pace/chat-pace.ts';
import type { SupervisedSocket } from '../../kit/sockets/supervised-socket.ts';
import { noProgress } from '../../kit/streams/no-progress.ts';
import { requireStoredAccount } from '../../kit/webhooks/signed-request.ts';
import type { SlackSettings } from './config.ts';
import { asDeliveryError } from './failure.ts';
import { History } from './history.ts';
import { identify, requireReceiving } from './identity.ts';
import { Inbox } from './inbox.ts';
import { fetchMedia } from './media.ts';
import { Outbox } from './outbox.ts';
import type { BotAccount } from './parse-event.ts';
import { fieldsOf, textOf } from './parse-event.ts';
import { type Fields, SlackApi } from './slack-api.ts';
import { socketMode } from './socket-mode.ts';
import { streamedMessage } from './streamed-message.ts';
import { ThreadStreams } from './thread-streams.ts';
import type { Timing } from './timing.ts';
import { takeRequest } from './webhook.ts';

/** Where a message goes, and what it answers. */
type Addressed = Pick<OutgoingMessage, 'target' | 'reply_to'>;

interface Parts {
  settings: SlackSettings;
  context: PlatformContext;
  timing: Timing;
  api: SlackApi;
  /** Ends every call. */
  closed: AbortController;
}

/**
 * Connects one bot: identifies it, and in socket mode opens the connection.
 * @throws ParleyError `platform_unauthorized`, `invalid_request`, or `platform_failed`
 */
export async function connect(
  settings: SlackSettings,
  context: PlatformContext,
  { timing, signal }: { timing: Timing; signal: AbortSignal },
): Promise<Connection> {
  requireReceiving(settings);
  const closed = new AbortController();
  const abandon = () => closed.abort(signal.reason);
  signal.addEventListener('abort', abandon, { once: true });
  try {
    signal.throwIfAborted();
    const api = new SlackApi(settings, { fetch: context.fetch, closed: closed.signal, timing });
    const connection = new Connection(await identify(api), { settings, context, timing, api, closed });
    signal.addEventListener('abort', () => void connection.stop(), { once: true });
    await connection.begin();
    signal.throwIfAborted();
    return connection;
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}

/** A bot that is connected. */
export class Connection {
  readonly accountId: string;
  readonly profile: AccountProfile | null;
  readonly #parts: Parts;
  readonly #inbox: Inbox;
  readonly #outbox: Outbox;
  readonly #streams: ThreadStreams;
  readonly #history: History;
  readonly #pace = new ChatPace();
  readonly #socket: SupervisedSocket | null;

  constructor(account: BotAccount & { name: string }, parts: Parts) {
    const { settings, context, timing, api } = parts;
    this.accountId = account.user_id;
    this.profile = profileOf(account);
    this.#parts = parts;
    const inbox = new Inbox(context, account);
    this.#inbox = inbox;
    this.#outbox = new Outbox(api, (user) => inbox.directChannel(user));
    this.#streams = new ThreadStreams(api, account.team_id);
    this.#history = new History(api, account);
    const token = settings.app_token.trim();
    const report: PlatformContext['reportConnection'] = (change) => context.reportConnection(change);
    this.#socket = token === '' ? null : socketMode({ api, token, inbox, context, report, timing });
  }

  /** Starts to receive. */
  async begin(): Promise<void> {
    await this.#socket?.start();
  }

  async stop(): Promise<void> {
    await this.#socket?.stop();
    this.#parts.closed.abort(new ParleyError('bot_not_running', 'The bot was stopped'));
  }

  async send(message: OutgoingMessage, progress?: SendProgress): Promise<SentMessage> {
    const stream = await this.stream(message, progress);
    return stream.finish(message.message_chain);
  }

  async stream({ target, reply_to }: Addressed, progress: SendProgress = noProgress): Promise<MessageStream> {
    const { context, timing } = this.#parts;
    const [outbox, streams, history, pace] = [this.#outbox, this.#streams, this.#history, this.#pace];
    try {
      const place = await outbox.placeOf(target);
      return streamedMessage({ place, outbox, streams, history, question: reply_to, pace, timing, progress, context });
    } catch (error) {
      throw asDeliveryError(error);
    }
  }

  /** Waits until another message may be sent into a channel. @throws the signal's reason */
  awaitTurn({ session_id }: DeliveryTarget, signal: AbortSignal): Promise<void> {
    const { sendMs, sendBurst } = this.#parts.timing;
    return this.#pace.waitTurn(session_id, { intervalMs: sendMs, burst: sendBurst }, signal);
  }

  /** Checks the connection. A refusal counts as an answer: sending will fail and report it. */
  async probe(): Promise<void> {
    try {
      await this.#parts.api.call('auth.test', {}, { isRepeatable: true });
    } catch (error) {
      const failure = asDeliveryError(error);
      if (failure.kind !== 'refused') throw failure;
    }
  }

  /** Only threads have an indicator. @see https://docs.slack.dev/reference/methods/assistant.threads.setStatus */
  async showTyping(target: DeliveryTarget): Promise<void> {
    if (target.thread_id === '') return;
    const { channel } = await this.#outbox.placeOf(target);
    const params = { channel_id: channel, thread_ts: target.thread_id, status: 'is typing…' };
    await this.#parts.api.call('assistant.threads.setStatus', params, { isRepeatable: true });
  }

  async namesOf({ session_type, session_id }: DeliveryTarget, senderId: string): Promise<MessageNames> {
    const { api } = this.#parts;
    const [user, channel] = await Promise.allSettled([
      api.call('users.info', { user: senderId }, { isRepeatable: true }),
      session_type === 'group' ? api.call('conversations.info', { channel: session_id }, { isRepeatable: true }) : null,
    ]);
    if (user.status === 'rejected') throw user.reason;
    const { profile, real_name, name } = fieldsOf(user.value.body.user);
    const { display_name } = fieldsOf(profile);
    const sender_name = [display_name, real_name, name].map(textOf).find(Boolean) ?? '';
    const found = channel.status === 'fulfilled' ? channel.value : null;
    const group_name = found === null ? '' : textOf(fieldsOf(found.body.channel).name);
    return { ...(sender_name === '' ? {} : { sender_name }), ...(group_name === '' ? {} : { group_name }) };
  }

  fetchMedia(value: unknown, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { api, context } = this.#parts;
    return fetchMedia(value, { api, fetch: context.fetch }, signal);
  }

  async handleWebhook(request: WebhookRequest): Promise<WebhookResponse> {
    const { settings, context } = this.#parts;
    if (this.#socket !== null) throw noWebhook();
    return takeRequest(settings, request, { inbox: this.#inbox, context });
  }
}

/**
 * Takes a request for a bot that is not connected here.
 * @throws ParleyError as `handleWebhook` of an adapter; `bot_not_running` while the account of the bot is not known
 */
export async function receive(
  settings: SlackSettings,
  context: PlatformContext,
  request: WebhookRequest,
): Promise<WebhookResponse> {
  if (settings.app_token.trim() !== '') throw noWebhook();
  const take = async (event: Fields) => {
    // Its workspace and its id as a sender are not needed for what comes.
    const account = { user_id: requireStoredAccount(context).id, bot_id: null, team_id: '' };
    return new Inbox(context, account).take(event);
  };
  return takeRequest(settings, request, { inbox: { take }, context });
}

function noWebhook(): ParleyError {
  return new ParleyError('webhook_unsupported', 'This bot uses socket mode');
}

/** @see https://docs.slack.dev/interactivity/deep-linking */
function profileOf({ user_id, team_id, name }: BotAccount & { name: string }): AccountProfile | null {
  if (name === '') return null;
  const chat = new URLSearchParams({ team: team_id, channel: user_id });
  return { name: `@${name}`, url: `https://slack.com/app_redirect?${chat}` };
}
