import { ids, type Params, type Shown, SlackError } from './fake-messages.ts';

/** Slack ends a stream by itself after this time, milliseconds. */
const lifetime = 5 * 60_000;
/** Longest text of one call, characters. */
const longestText = 12_000;

interface Workspace {
  now(): number;
  show(channel: string, thread: unknown, markdown: string): Shown;
  found(channel: unknown, ts: unknown): Shown;
}

/**
 * Messages to which text is only added. While one is streamed it can be neither edited nor deleted; afterwards nothing
 * is added to it.
 */
export class FakeStreams {
  /** Refuses to start streams with this error. */
  refusal: string | null = null;
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  readonly methods: Record<string, (params: Params) => object> = {
    'chat.startStream': ({ channel, thread_ts, recipient_user_id, recipient_team_id, ...text }) => {
      if (this.refusal !== null) throw new SlackError(this.refusal);
      if (typeof thread_ts !== 'string' || thread_ts === '') throw new SlackError('invalid_thread_ts');
      if (channel !== ids.direct && typeof recipient_user_id !== 'string')
        throw new SlackError('missing_recipient_user_id');
      if (channel !== ids.direct && recipient_team_id !== ids.team) throw new SlackError('missing_recipient_team_id');
      const shown = this.#workspace.show(String(channel), thread_ts, textOf(text));
      shown.stream = { state: 'open', since: this.#workspace.now() };
      return { channel, ts: shown.ts };
    },
    'chat.appendStream': ({ channel, ts, ...text }) => {
      this.#add(this.#open(channel, ts), textOf(text));
      return { channel, ts };
    },
    'chat.stopStream': ({ channel, ts, ...text }) => {
      const shown = this.#open(channel, ts);
      if (text.markdown_text !== undefined || text.chunks !== undefined) this.#add(shown, textOf(text));
      shown.stream = null;
      return { channel, ts };
    },
  };

  /** Whether more text may be added, at the present time. */
  isOpen({ stream }: Shown): boolean {
    return stream?.state === 'open' && this.#workspace.now() - stream.since < lifetime;
  }

  #open(channel: unknown, ts: unknown): Shown {
    const shown = this.#workspace.found(channel, ts);
    if (shown.stream?.state === 'stopped_by_user') throw new SlackError('stopped_by_user');
    if (!this.isOpen(shown)) throw new SlackError('message_not_in_streaming_state');
    return shown;
  }

  #add(shown: Shown, text: string): void {
    const before = shown.texts.at(-1)?.text ?? '';
    shown.texts.push({ text: before + text, at: this.#workspace.now() });
  }
}

/** The text of a call: whole, or in chunks. */
function textOf({ markdown_text, chunks }: Params): string {
  if (markdown_text !== undefined && chunks !== undefined) throw new SlackError('markdown_text_conflict');
  const texts =
    chunks === undefined
      ? [markdown_text]
      : (chunks as Params[]).map(({ type, text }) => {
          if (type !== 'markdown_text') throw new SlackError('invalid_chunks');
          return text;
        });
  if (texts.some((text) => typeof text !== 'string' || text === '')) throw new SlackError('no_text');
  const markdown = texts.join('');
  if (markdown.length > longestText) throw new SlackError('msg_too_long');
  return markdown;
}
