import type { ShownMessage } from '@parley/sdk/testing';

export type Params = Record<string, unknown>;

/** A message of a user, as Slack keeps it. */
export interface KeptMessage {
  ts: string;
  channel: string;
  user: string;
  text: string;
  thread_ts: string | null;
  files: object[];
  client_msg_id: string;
}

/** A message of the bot. */
export interface Shown extends Omit<ShownMessage, 'text' | 'history' | 'notifies' | 'isUnfinished'> {
  ts: string;
  channel: string;
  metadata: unknown;
  texts: { text: string; at: number }[];
  /** Null for a message that is not streamed, or no longer. */
  stream: { state: 'open' | 'stopped_by_user'; since: number } | null;
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
  team: 'T0',
  bot: 'U0PARROT',
  botId: 'B0PARROT',
  user: 'U0ADA',
  other: 'U0BOB',
  direct: 'D0ADA',
  channel: 'C0TALK',
};

const mention = /<([@!])([^<>|]+)(?:\|[^<>]*)?>/g;
/** What a mention of a user or of many looks like; other text between such signs notifies none. */
const notifying = /^(?:@[UW][A-Z0-9]+|!(?:channel|here|everyone|subteam\^\w+))$/;

/** What users see of a message. */
export function seen(
  { texts, channel: _, ts: __, stream: ___, metadata: ____, ...rest }: Shown,
  isUnfinished: boolean,
): ShownMessage {
  const history = texts.map(({ text, at }) => ({ text: asSeen(text), at }));
  const last = texts.at(-1)?.text ?? '';
  return { ...rest, history, text: asSeen(last), notifies: mentionsIn(last), isUnfinished };
}

function mentionsIn(text: string): string[] {
  return [...text.matchAll(mention)].flatMap(([, sign, target = '']) =>
    notifying.test(`${sign}${target}`) ? [sign === '@' ? target : 'everyone'] : [],
  );
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
