import { type MessageEvent, ParleyError, type PlatformContext } from '@parley/sdk';
import { repeated } from '../../kit/retry/repeat.ts';
import { present } from '../../lib/clock.ts';
import type { Directory, ServerRoles } from './directory.ts';
import { type IncomingMessage, isOfUser, parseMessage, unknownTypeOf } from './parse.ts';
import { isId } from './target.ts';
import type { Timing } from './timing.ts';

export interface InboxOptions {
  context: PlatformContext;
  directory: Directory;
  timing: Timing;
}

/** An event of the gateway. */
export interface GatewayEvent {
  type: string;
  data: Record<string, unknown>;
  /** Its place in the session. */
  sequence: number;
}

/** Bots that joined a server longer ago are not new there, milliseconds. */
const newInServer = 3_600_000;

/** Processes the events of the gateway one after the other: stores messages, and reports what became of them. */
export class Inbox {
  readonly #options: InboxOptions;
  /** Kinds of messages that were logged as unknown. */
  readonly #loggedTypes = new Set<number>();
  /** Servers that the bot was in when its session began. */
  #presentServers = new Set<string>();

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** A new session began. @param servers ids of those that the bot is in */
  begin(servers: readonly string[]): void {
    this.#presentServers = new Set(servers);
  }

  /**
   * Takes an event. When it resolves, it is stored, or there was nothing to store.
   * @param signal ends its retries
   * @returns whether a message was stored, and the place of the event with it
   * @throws the signal's reason
   */
  async take(event: GatewayEvent, signal: AbortSignal): Promise<boolean> {
    const { context, directory } = this.#options;
    const { type, data } = event;
    try {
      directory.learn(type, data);
      if (type === 'MESSAGE_CREATE') return await this.#store(event, signal);
      if (type === 'MESSAGE_UPDATE') await this.#edited(data, signal);
      else if (type === 'MESSAGE_DELETE') await this.#recalled([data.id], signal);
      else if (type === 'MESSAGE_DELETE_BULK' && Array.isArray(data.ids)) await this.#recalled(data.ids, signal);
      else if (type === 'GUILD_CREATE') await this.#joined(data, signal);
      // Without that, the server is gone for the moment only.
      else if (type === 'GUILD_DELETE' && data.unavailable !== true) this.#presentServers.delete(String(data.id));
    } catch (error) {
      signal.throwIfAborted();
      // It would be no better the next time, and everything behind it would wait.
      context.logger.error({ bot: context.bot_uuid, type, error }, 'an event of Discord cannot be read');
    }
    return false;
  }

  async #store({ data, sequence }: GatewayEvent, signal: AbortSignal): Promise<boolean> {
    const { context, directory } = this.#options;
    const message: IncomingMessage = data;
    if (!isOfUser(message, directory.userId)) return false;
    if (message.guild_id === undefined && isId(message.channel_id) && isId(message.author?.id)) {
      directory.learnDirectChannel(message.author.id, message.channel_id);
    }
    const event = await this.#read(message, signal);
    if (event === null) return false;
    this.#logUnknown(message);
    await this.#untilDone(() => context.receive(event, { sequence: String(sequence) }), signal);
    return true;
  }

  /** @see https://docs.discord.com/developers/events/gateway-events#message-update */
  async #edited(data: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    const message: IncomingMessage = data;
    // Previews of links arrive as updates, too.
    const { context, directory } = this.#options;
    if (!isOfUser(message, directory.userId) || typeof message.edited_timestamp !== 'string') return;
    const event = await this.#read(message, signal);
    if (event === null) return;
    const { platform_message_id, message_chain } = event;
    const notice = { type: 'edited', platform_message_id, message_chain } as const;
    await this.#untilDone(() => context.receiveNotice(notice), signal);
  }

  async #recalled(ids: readonly unknown[], signal: AbortSignal): Promise<void> {
    for (const id of ids) {
      if (!isId(id)) continue;
      const notice = { type: 'recalled', platform_message_id: id } as const;
      await this.#untilDone(() => this.#options.context.receiveNotice(notice), signal);
    }
  }

  /** A server that the bot was just added to; those of an outage come back in the same way. */
  async #joined(server: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    const { id, system_channel_id: channel, joined_at } = server;
    if (!isId(id) || this.#presentServers.has(id)) return;
    this.#presentServers.add(id);
    const age = present() - Date.parse(String(joined_at));
    if (!isId(channel) || !(age < newInServer)) return;
    const chat = { session_type: 'group', session_id: channel, thread_id: '' } as const;
    const notice = { type: 'bot_added', platform_event_id: `server/${id}/${joined_at}`, ...chat } as const;
    await this.#untilDone(() => this.#options.context.receiveNotice(notice), signal);
  }

  async #read(message: IncomingMessage, signal: AbortSignal): Promise<MessageEvent | null> {
    const { directory } = this.#options;
    const { guild_id: server, channel_id: channel, content } = message;
    const isInServer = isId(server) && isId(channel);
    const place = isInServer ? await this.#untilDone(() => directory.placeOf(channel), signal) : null;
    const namesRoles = (message.mention_roles ?? []).length > 0 || /<@&\d/.test(String(content));
    const roles: ServerRoles | null =
      isInServer && namesRoles ? await this.#untilDone(() => directory.rolesIn(server), signal) : null;
    return parseMessage(message, {
      userId: directory.userId,
      place,
      roles,
      channelName: (id) => directory.channelName(id),
    });
  }

  #logUnknown(message: IncomingMessage): void {
    const { context } = this.#options;
    const kind = unknownTypeOf(message);
    if (kind === null || this.#loggedTypes.has(kind) || this.#loggedTypes.size >= 100) return;
    this.#loggedTypes.add(kind);
    context.logger.warn({ bot: context.bot_uuid, kind }, 'a message of an unknown kind is kept without its content');
  }

  /** Repeats what may succeed later: later events wait, so that the order is kept. */
  #untilDone<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const { timing, context } = this.#options;
    return repeated(work, {
      firstPauseMs: timing.firstPauseMs,
      longestPauseMs: timing.longestPauseMs,
      mayRepeat: (error) => !isRefusedForGood(error),
      onPause: (error) => context.logger.warn({ bot: context.bot_uuid, error }, 'an event of Discord waits'),
      signal,
    });
  }
}

/** Whether no later attempt would store a message. */
function isRefusedForGood(error: unknown): boolean {
  return error instanceof ParleyError && ['invalid_request', 'too_large', 'address_not_allowed'].includes(error.reason);
}
