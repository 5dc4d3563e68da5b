import { LRUCache } from 'lru-cache';
import type { DiscordApi } from './discord-api.ts';
import { DiscordRefusal } from './failure.ts';
import { isId } from './target.ts';

/** What is known of a channel of a server. */
interface KnownChannel {
  name: string;
  /** The channel that a thread or a post of a forum is in; null for any other channel. */
  threadOf: string | null;
}

/** What mentions of roles mean in a server. */
export interface ServerRoles {
  /** Names by id. */
  names: ReadonlyMap<string, string>;
  /** Those of the bot. */
  own: ReadonlySet<string>;
}

/** Where a message of a server is, as the adapter names it. */
export interface Place {
  session_id: string;
  thread_id: string;
  /** Empty if unknown. */
  name: string;
}

/** Types of channels that are threads. @see https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
const threadTypes: readonly unknown[] = [10, 11, 12];
/** What is remembered; more of them are looked up again. */
const rememberedChannels = 2000;
const rememberedServers = 200;
const rememberedUsers = 1000;
const noRoles: ServerRoles = { names: new Map(), own: new Set() };

/**
 * The channels and roles that the bot sees, as far as they are needed. Events of the gateway keep it up to date; what
 * they did not tell, as after a resumed session, is looked up.
 */
export class Directory {
  readonly #api: Pick<DiscordApi, 'call'>;
  readonly #channels = new LRUCache<string, KnownChannel>({ max: rememberedChannels });
  readonly #roles = new LRUCache<string, ServerRoles>({ max: rememberedServers });
  /** Channels of direct messages by user. */
  readonly #directChannels = new LRUCache<string, string>({ max: rememberedUsers });
  /** The bot's own id. */
  userId = '';
  /** Its name; empty while it is not known. */
  userName = '';

  constructor(api: Pick<DiscordApi, 'call'>) {
    this.#api = api;
  }

  /** Takes what an event tells about servers and channels. Other events are ignored. */
  learn(type: string, data: Record<string, unknown>): void {
    const { id, guild_id: server } = data;
    if (type === 'GUILD_CREATE') this.#learnServer(data);
    else if (/^(CHANNEL|THREAD)_(CREATE|UPDATE)$/.test(type)) this.#learnChannel(data);
    else if (type === 'CHANNEL_DELETE' || type === 'THREAD_DELETE') this.#channels.delete(String(id));
    else if (type === 'THREAD_LIST_SYNC') for (const thread of listOf(data.threads)) this.#learnChannel(thread);
    else if (/^GUILD_ROLE_/.test(type) && isId(server)) this.#roles.delete(server);
    else if (type === 'GUILD_DELETE' && isId(id)) this.#roles.delete(id);
    else if (type === 'GUILD_MEMBER_UPDATE' && isId(server) && this.#isOwn(data)) this.#roles.delete(server);
  }

  /**
   * Where a channel is.
   * @throws DeliveryError while Discord does not answer
   */
  async placeOf(channelId: string): Promise<Place> {
    const { name, threadOf } = this.#channels.get(channelId) ?? (await this.#lookUp(channelId));
    return { session_id: threadOf ?? channelId, thread_id: threadOf === null ? '' : channelId, name };
  }

  /** The name of a channel; null if unknown. */
  channelName(id: string): string | null {
    return this.#channels.get(id)?.name || null;
  }

  /** @throws DeliveryError while Discord does not answer */
  async rolesIn(server: string): Promise<ServerRoles> {
    const known = this.#roles.get(server);
    if (known !== undefined) return known;
    try {
      const [roles, member] = await Promise.all([
        this.#api.call({ method: 'GET', path: `/guilds/${server}/roles` }),
        this.#api.call({ method: 'GET', path: `/guilds/${server}/members/${this.userId}` }),
      ]);
      return this.#keepRoles(server, roles, member);
    } catch (error) {
      if (error instanceof DiscordRefusal) return noRoles;
      throw error;
    }
  }

  /** The channel of direct messages with a user. @throws as {@link DiscordApi.call} */
  async directChannelOf(user: string): Promise<string> {
    const known = this.#directChannels.get(user);
    if (known !== undefined) return known;
    const call = { method: 'POST', path: '/users/@me/channels', json: { recipient_id: user } } as const;
    const { id } = await this.#api.call<{ id?: unknown }>({ ...call, isRepeatable: true });
    if (!isId(id)) throw new Error('Discord opened a channel without an id');
    this.#directChannels.set(user, id);
    return id;
  }

  /** A direct message came from there. */
  learnDirectChannel(user: string, channel: string): void {
    this.#directChannels.set(user, channel);
  }

  /** Discord does not know it any more. */
  forgetDirectChannel(user: string): void {
    this.#directChannels.delete(user);
  }

  #learnServer(server: Record<string, unknown>): void {
    for (const channel of [...listOf(server.channels), ...listOf(server.threads)]) this.#learnChannel(channel);
    const own = listOf(server.members).find((member) => this.#isOwn(member));
    if (isId(server.id) && own !== undefined) this.#keepRoles(server.id, server.roles, own);
  }

  #isOwn({ user }: Record<string, unknown>): boolean {
    return (user as { id?: unknown } | null | undefined)?.id === this.userId;
  }

  #learnChannel({ id, type, name, parent_id }: Record<string, unknown>): KnownChannel | null {
    if (!isId(id)) return null;
    const isThread = threadTypes.includes(type) && isId(parent_id);
    const channel = { name: typeof name === 'string' ? name : '', threadOf: isThread ? parent_id : null };
    this.#channels.set(id, channel);
    return channel;
  }

  async #lookUp(id: string): Promise<KnownChannel> {
    const unknown = { name: '', threadOf: null };
    try {
      const channel = await this.#api.call<Record<string, unknown>>({ method: 'GET', path: `/channels/${id}` });
      return this.#learnChannel(channel) ?? unknown;
    } catch (error) {
      // A channel that the bot may not look at can still be answered in.
      if (error instanceof DiscordRefusal) return unknown;
      throw error;
    }
  }

  #keepRoles(server: string, roles: unknown, member: unknown): ServerRoles {
    const { roles: own } = (member ?? {}) as { roles?: unknown };
    const names = new Map(listOf(roles).map(({ id, name }) => [String(id), String(name)]));
    const known: ServerRoles = { names, own: new Set(Array.isArray(own) ? own.map(String) : []) };
    this.#roles.set(server, known);
    return known;
  }
}

function listOf(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is Record<string, unknown> => typeof item === 'object' && item !== null);
}
