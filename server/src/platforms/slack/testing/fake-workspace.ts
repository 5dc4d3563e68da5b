import type { FakeChat, FakeMedia, ShownMessage } from '@parley/sdk/testing';
import { ids, type KeptMessage, type Params, type Shown, SlackError, seen } from './fake-messages.ts';
import { FakeStreams } from './fake-streams.ts';

/** Longest text of a new message, characters, and of an edited one, bytes of UTF-8: longer ones are cut silently. */
const [longestText, longestEdit] = [40_000, 4000];
/** Longest Markdown of an edit, characters. */
const longestMarkdown = 12_000;

/** A workspace: its channels, users and messages, and the methods of the Web API. */
export class FakeWorkspace {
  readonly messages = new Map<string, KeptMessage>();
  readonly calls: string[] = [];
  readonly violations: string[] = [];
  /** Permissions of the app. */
  readonly scopes = new Set([
    ...['chat:write', 'im:history', 'im:write', 'app_mentions:read', 'files:read', 'files:write'],
    ...['users:read', 'channels:read'],
  ]);
  readonly media = new Map<string, FakeMedia>();
  /** Without a slash at its end. */
  url = '';
  readonly streams = new FakeStreams({
    now: () => this.now(),
    show: (channel, thread, markdown) => this.#show(channel, thread, markdown, []),
    found: (channel, ts) => this.#found(channel, ts),
  });
  #shown: Shown[] = [];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly #account: string;
  readonly #uploads = new Map<string, { name: string; length: number; content: Uint8Array | null }>();
  #count = 0;

  /** @param account id of the bot's user */
  constructor(now: () => number, account: string) {
    this.now = now;
    this.#account = account;
  }

  nextTs(at = this.now()): string {
    this.#count += 1;
    return `${Math.floor(at / 1000)}.${String(this.#count).padStart(6, '0')}`;
  }

  keep(message: Omit<KeptMessage, 'ts' | 'client_msg_id'>, at?: number): KeptMessage {
    const ts = this.nextTs(at);
    const kept = { ...message, ts, client_msg_id: `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}` };
    this.messages.set(ts, kept);
    return kept;
  }

  shown(): ShownMessage[] {
    return this.#shown.map((shown) => seen(shown, this.streams.isOpen(shown)));
  }

  /** A user ends a stream, or Slack does. @param id of one; default: of all */
  endStreams(state: 'stopped_by_user' | null, id?: string): void {
    for (const shown of this.#shown) {
      if (!this.streams.isOpen(shown) || (id !== undefined && shown.id !== id)) continue;
      shown.stream = state === null ? null : { state, since: this.now() };
    }
  }

  /** @throws SlackError */
  run(method: string, params: Params): object {
    this.calls.push(method);
    const known = this.#methods[method] ?? this.streams.methods[method];
    if (known !== undefined) return known(params);
    this.violations.push(`unknown method ${method}`);
    throw new SlackError('unknown_method');
  }

  upload(id: string, content: Uint8Array): boolean {
    const upload = this.#uploads.get(id);
    if (upload === undefined || upload.length !== content.length) return false;
    upload.content = content;
    return true;
  }

  readonly #methods: Record<string, ((params: Params) => object) | undefined> = {
    'auth.test': () => ({
      user_id: this.#account,
      bot_id: ids.botId,
      user: 'parrot',
      team_id: ids.team,
      url: this.url,
    }),
    'conversations.open': ({ users }) => {
      if (users !== ids.user) throw new SlackError('user_not_found');
      return { channel: { id: ids.direct } };
    },
    'chat.postMessage': ({ channel, ...params }) => this.#post(String(channel), params),
    'chat.update': ({ channel, ts, text, markdown_text }) => {
      const shown = this.#found(channel, ts);
      if (this.streams.isOpen(shown)) throw new SlackError('streaming_state_conflict');
      if (text !== undefined && markdown_text !== undefined) throw new SlackError('markdown_text_conflict');
      if (String(markdown_text ?? '').length > longestMarkdown) throw new SlackError('msg_too_long');
      shown.texts.push({
        text: markdown_text === undefined ? cut(String(text)) : String(markdown_text),
        at: this.now(),
      });
      return { channel, ts };
    },
    'chat.delete': ({ channel, ts }) => {
      const shown = this.#found(channel, ts);
      if (this.streams.isOpen(shown)) throw new SlackError('cant_delete_message');
      this.#shown = this.#shown.filter((one) => one !== shown);
      return { channel, ts };
    },
    'files.getUploadURLExternal': ({ filename, length }) => {
      if (typeof filename !== 'string' || typeof length !== 'number' || length <= 0)
        throw new SlackError('invalid_arguments');
      const file_id = `F0UP${this.#uploads.size + 1}`;
      this.#uploads.set(file_id, { name: filename, length, content: null });
      return { file_id, upload_url: `${this.url}/upload/${file_id}` };
    },
    'files.completeUploadExternal': ({ files, channel_id, thread_ts }) =>
      this.#complete(files, String(channel_id), thread_ts),
    'users.info': ({ user }) => ({
      user: { id: user, name: 'ada', real_name: 'Ada', profile: { display_name: 'Ada L.' } },
    }),
    'conversations.info': ({ channel }) => ({ channel: { id: channel, name: 'talk' } }),
    'assistant.threads.setStatus': () => ({}),
    'conversations.history': (params) => this.#history(params, ({ thread_ts }) => thread_ts === undefined),
    'conversations.replies': ({ ts, ...params }) =>
      this.#history(params, (message) => message.ts === ts || message.thread_ts === ts),
  };

  #post(channel: string, { text, thread_ts, metadata }: Params): object {
    if (typeof text !== 'string' || text.trim() === '') throw new SlackError('no_text');
    if (text.length > longestText) throw new SlackError('msg_too_long');
    const { event_type, event_payload } = (metadata ?? { event_type: 'none', event_payload: {} }) as Params;
    const isMetadata = typeof event_type === 'string' && typeof event_payload === 'object';
    if (!isMetadata) throw new SlackError('invalid_metadata_format');
    const shown = this.#show(channel, thread_ts, text, []);
    shown.metadata = metadata;
    return { channel, ts: shown.ts, message: { text } };
  }

  #complete(files: unknown, channel: string, thread: unknown): object {
    const media = (files as { id: string; title: string }[]).map(({ id }): ShownMessage['media'][number] => {
      const upload = this.#uploads.get(id);
      if (upload?.content == null) throw new SlackError('file_not_found');
      return {
        kind: /\.(png|jpe?g|gif)$/.test(upload.name) ? 'image' : 'file',
        name: upload.name,
        content: upload.content,
      };
    });
    this.#show(channel, thread, '', media);
    return { files };
  }

  #show(channel: string, thread: unknown, text: string, media: ShownMessage['media']): Shown {
    if (channel !== ids.direct && channel !== ids.channel) throw new SlackError('channel_not_found');
    const ts = this.nextTs();
    const chat: FakeChat = {
      session_type: channel === ids.direct ? 'person' : 'group',
      session_id: channel === ids.direct ? ids.user : channel,
      thread_id: typeof thread === 'string' ? thread : '',
    };
    const texts = [{ text, at: this.now() }];
    const shown: Shown = { id: ts, ts, channel, chat, texts, media, quotes: null, stream: null, metadata: undefined };
    this.#shown.push(shown);
    return shown;
  }

  /** The newest messages of a channel, or the oldest of a thread, after a timestamp. */
  #history(
    { channel, oldest = '0', limit = 100, include_all_metadata }: Params,
    isThere: (message: Params) => boolean,
  ) {
    const needed = channel === ids.direct ? 'im:history' : 'channels:history';
    if (!this.scopes.has(needed)) throw new SlackError('missing_scope', { needed, provided: [...this.scopes].join() });
    const ofUsers = [...this.messages.values()].filter((kept) => kept.channel === channel);
    const ofBot = this.#shown
      .filter((shown) => shown.channel === channel)
      .map(({ ts, chat, texts, metadata }) => ({
        ts,
        user: this.#account,
        bot_id: ids.botId,
        text: texts.at(-1)?.text ?? '',
        thread_ts: chat.thread_id || null,
        ...(include_all_metadata === true && metadata !== undefined ? { metadata } : {}),
      }));
    const messages = [...ofUsers, ...ofBot]
      .map(({ thread_ts, ...message }): Params => ({ type: 'message', ...message, thread_ts: thread_ts ?? undefined }))
      .filter((message) => isThere(message) && Number(message.ts) > Number(oldest))
      .sort((one, other) => Number(one.ts) - Number(other.ts));
    return { messages: messages.slice(-Number(limit)) };
  }

  #found(channel: unknown, ts: unknown): Shown {
    const shown = this.#shown.find((one) => one.ts === ts && one.channel === channel);
    if (shown === undefined) throw new SlackError('message_not_found');
    return shown;
  }
}

function cut(text: string): string {
  return Buffer.byteLength(text) <= longestEdit ? text : Buffer.from(text).subarray(0, longestEdit).toString();
}
