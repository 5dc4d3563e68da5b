/** What a user sees of a message, with what the API tells about it. */
export interface WorldMessage {
  id: string;
  channel: string;
  author: WorldUser;
  content: string;
  type: number;
  /** Milliseconds of the world's clock. */
  createdAt: number;
  editedAt: number | null;
  files: WorldFile[];
  replyTo: string | null;
  nonce: string | null;
  notifies: string[];
  history: { text: string; at: number }[];
  isDeleted: boolean;
  /** Fields of the API's object beside the usual ones. */
  more: Record<string, unknown>;
  mentions: WorldUser[];
}

export interface WorldUser {
  id: string;
  username: string;
  global_name: string | null;
  bot?: boolean;
}

export interface WorldFile {
  id: string;
  name: string;
  type: string;
  content: Uint8Array;
  /** The size that the API states. */
  size: number;
  fault?: 'gone' | 'forbidden' | 'private_address' | undefined;
}

export interface WorldChannel {
  id: string;
  type: number;
  name?: string;
  guild_id?: string;
  parent_id?: string;
  /** Of a direct channel. */
  recipients?: WorldUser[];
  /** What the bot may not do there. */
  denied?: 'seeing' | 'sending' | 'history';
}

/** A bot with its application. */
export interface WorldBot {
  token: string;
  user: WorldUser;
  applicationId: string;
  /** Flags of the application; 1 << 18 for the content of messages. */
  flags: number;
  isRevoked: boolean;
  /** Sessions that it may begin. */
  sessionsLeft: number;
}

/** Since when ids count milliseconds. */
const epoch = 1_420_070_400_000n;
const addressesLastMs = 24 * 60 * 60 * 1000;

/** Everything that exists at the fake: users, channels, messages, and the clock. */
export class World {
  readonly channels = new Map<string, WorldChannel>();
  readonly messages: WorldMessage[] = [];
  readonly roles = [
    { id: '900000000000000001', name: 'Parrots', permissions: '0' },
    { id: '900000000000000002', name: 'Admins', permissions: '0' },
  ] as const;
  readonly guild = { id: '800000000000000001', name: 'The aviary' };
  readonly user: WorldUser = { id: '700000000000000001', username: 'ada', global_name: 'Ada' };
  readonly otherUser: WorldUser = { id: '700000000000000002', username: 'bob', global_name: null };
  readonly otherBot: WorldUser = { id: '700000000000000003', username: 'owl', global_name: null, bot: true };
  /** Users that take no messages of the bot. */
  readonly closedUsers = new Set<string>();
  readonly general: WorldChannel;
  readonly thread: WorldChannel;
  /** Address of the fake's files. */
  filesAddress = '';
  #offset = 0;
  #count = 0n;

  constructor() {
    this.general = this.addChannel({ type: 0, name: 'general', guild_id: this.guild.id });
    this.thread = this.addChannel({ type: 11, name: 'A thread', guild_id: this.guild.id, parent_id: this.general.id });
  }

  now(): number {
    return Date.now() + this.#offset;
  }

  advance(milliseconds: number): void {
    this.#offset += milliseconds;
  }

  newId(): string {
    this.#count += 1n;
    return String(((BigInt(this.now()) - epoch) << 22n) + this.#count);
  }

  addChannel(channel: Omit<WorldChannel, 'id'>): WorldChannel {
    const added = { id: this.newId(), ...channel };
    this.channels.set(added.id, added);
    return added;
  }

  /** The channel of direct messages between a bot and a user. */
  directChannel(bot: WorldBot, user: WorldUser): WorldChannel {
    const known = [...this.channels.values()].find(
      ({ type, recipients = [] }) =>
        type === 1 && recipients.some(({ id }) => id === user.id) && recipients.includes(bot.user),
    );
    return known ?? this.addChannel({ type: 1, recipients: [user, bot.user] });
  }

  userById(id: string): WorldUser | undefined {
    return [this.user, this.otherUser, this.otherBot].find((user) => user.id === id);
  }

  message(id: string): WorldMessage | undefined {
    return this.messages.find((message) => message.id === id && !message.isDeleted);
  }

  addMessage(message: Pick<WorldMessage, 'channel' | 'author' | 'content'> & Partial<WorldMessage>): WorldMessage {
    const createdAt = message.createdAt ?? this.now();
    const added: WorldMessage = {
      id: this.newId(),
      type: 0,
      createdAt,
      editedAt: null,
      files: [],
      replyTo: null,
      nonce: null,
      notifies: [],
      history: [{ text: message.content, at: createdAt }],
      isDeleted: false,
      more: {},
      mentions: [],
      ...message,
    };
    this.messages.push(added);
    return added;
  }

  editMessage(message: WorldMessage, content: string): void {
    message.editedAt = this.now();
    if (content !== message.content) message.history.push({ text: content, at: this.now() });
    message.content = content;
  }

  /** As the API describes a message. */
  messageObject(message: WorldMessage, depth = 0): Record<string, unknown> {
    const { id, channel, author, content, type, createdAt, editedAt, files, replyTo, more, mentions, nonce } = message;
    const original = replyTo === null ? undefined : this.message(replyTo);
    return {
      id,
      type,
      channel_id: channel,
      author,
      content,
      timestamp: new Date(createdAt).toISOString().replace('Z', '000+00:00'),
      edited_timestamp: editedAt === null ? null : new Date(editedAt).toISOString().replace('Z', '000+00:00'),
      tts: false,
      pinned: false,
      mention_everyone: message.notifies.includes('everyone'),
      mentions,
      mention_roles: [],
      embeds: [],
      flags: 0,
      attachments: files.map((file) => this.#fileObject(file, channel)),
      ...(nonce === null ? {} : { nonce }),
      ...(replyTo === null
        ? {}
        : {
            message_reference: { type: 0, channel_id: channel, message_id: replyTo },
            ...(depth > 0 ? {} : { referenced_message: original ? this.messageObject(original, 1) : null }),
          }),
      ...more,
    };
  }

  /** Until when an address of a file works, as it names it. */
  get #expiry(): string {
    return Math.floor((this.now() + addressesLastMs) / 1000).toString(16);
  }

  #fileObject({ id, name, type, size, fault }: WorldFile, channel: string): Record<string, unknown> {
    const base = fault === 'private_address' ? 'http://127.0.0.1:8009' : this.filesAddress;
    const url = `${base}/attachments/${channel}/${id}/${encodeURIComponent(name)}?ex=${this.#expiry}&is=0&hm=0`;
    return { id, filename: name, content_type: type, size, url, proxy_url: url };
  }
}
