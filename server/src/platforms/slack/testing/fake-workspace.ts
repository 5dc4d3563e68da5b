import type { FakeChat, FakeMedia, ShownMessage } from '@parley/sdk/testing';

type Params = Record<string, unknown>;

/** A message as Slack keeps it. */
export interface KeptMessage {
  ts: string;
  channel: string;
  user: string;
  text: string;
  thread_ts: string | null;
  files: object[];
  client_msg_id: string;
}

interface Shown extends Omit<ShownMessage, 'text' | 'history' | 'notifies'> {
  ts: string;
  channel: string;
  texts: { text: string; at: number }[];
}

/** An error of the Web API. */
export class SlackError extends Error {
  readonly more: object;

  constructor(error: string, more: object = {}) {
    super(error);
    this.more = more;
  }
}

export const ids = {
  bot: 'U0PARROT',
  botId: 'B0PARROT',
  user: 'U0ADA',
  other: 'U0BOB',
  direct: 'D0ADA',
  channel: 'C0TALK',
};

/** Longest text of a new message, characters, and of an edited one, bytes of UTF-8: longer ones are cut silently. */
const [longestText, longestEdit] = [40_000, 4000];

/** A workspace: its channels, users and messages, and the methods of the Web API. */
export class FakeWorkspace {
  readonly messages = new Map<string, KeptMessage>();
  readonly calls: string[] = [];
  readonly violations: string[] = [];
  readonly media = new Map<string, FakeMedia>();
  /** Without a slash at its end. */
  url = '';
  readonly #now: () => number;
  #shown: Shown[] = [];
  readonly #account: string;
  readonly #uploads = new Map<string, { name: string; length: number; content: Uint8Array | null }>();
  #count = 0;

  /** @param account id of the bot's user */
  constructor(now: () => number, account: string) {
    this.#now = now;
    this.#account = account;
  }

  nextTs(at = this.#now()): string {
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
    return this.#shown.map(({ texts, channel: _, ts: __, ...rest }) => {
      const history = texts.map(({ text, at }) => ({ text: asSeen(text), at }));
      const last = texts.at(-1)?.text ?? '';
      return { ...rest, history, text: asSeen(last), notifies: mentionsIn(last) };
    });
  }

  /** @throws SlackError */
  run(method: string, params: Params): object {
    this.calls.push(method);
    const known = this.#methods[method];
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
    'auth.test': () => ({ user_id: this.#account, bot_id: ids.botId, user: 'parrot', team_id: 'T0', url: this.url }),
    'conversations.open': ({ users }) => {
      if (users !== ids.user) throw new SlackError('user_not_found');
      return { channel: { id: ids.direct } };
    },
    'chat.postMessage': ({ channel, text, thread_ts }) => this.#post(String(channel), text, thread_ts),
    'chat.update': ({ channel, ts, text }) => {
      const shown = this.#found(channel, ts);
      shown.texts.push({ text: cut(String(text)), at: this.#now() });
      return { channel, ts, text };
    },
    'chat.delete': ({ channel, ts }) => {
      const shown = this.#found(channel, ts);
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
  };

  #post(channel: string, text: unknown, thread: unknown): object {
    if (typeof text !== 'string' || text.trim() === '') throw new SlackError('no_text');
    if (text.length > longestText) throw new SlackError('msg_too_long');
    const shown = this.#show(channel, thread, text, []);
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
    const texts = [{ text, at: this.#now() }];
    const shown: Shown = { id: ts, ts, channel, chat, texts, media, quotes: null, isUnfinished: false };
    this.#shown.push(shown);
    return shown;
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

const mention = /<([@!])([^<>|]+)(?:\|[^<>]*)?>/g;

function mentionsIn(text: string): string[] {
  return [...text.matchAll(mention)].map(([, sign, target = '']) => (sign === '@' ? target : 'everyone'));
}

/** Without the marks of references and entities; other marks stay. */
function asSeen(text: string): string {
  return text
    .replace(mention, (_, _sign, target) => `@${target}`)
    .replace(/<([^<>|]+)\|([^<>]*)>/g, '$2')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
