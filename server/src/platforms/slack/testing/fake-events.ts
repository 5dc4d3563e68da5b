import { type FakeMessage, type Forgery, NotOfThisPlatform } from '@parley/sdk/testing';
import { ids, type KeptMessage } from './fake-messages.ts';

/** An event of a message. */
export function eventOf(kept: KeptMessage, { kind, sender }: FakeMessage = {}): Record<string, unknown> {
  const isDirect = kept.channel === ids.direct;
  return {
    type: 'message',
    ...(kept.files.length === 0 ? {} : { subtype: 'file_share', files: kept.files }),
    ...(sender === 'another_bot' ? { bot_id: 'B0OTHER', subtype: 'bot_message' } : {}),
    client_msg_id: kept.client_msg_id,
    user: kind === 'malformed' ? { id: 7 } : kept.user,
    text: kind === 'malformed' ? ['Hello'] : kept.text,
    ...(kind === 'unknown' ? { text: '', blocks: [{ type: 'hologram' }] } : {}),
    channel: kept.channel,
    channel_type: isDirect ? 'im' : 'channel',
    ts: kept.ts,
    event_ts: kept.ts,
    ...(kept.thread_ts === null ? {} : { thread_ts: kept.thread_ts, parent_user_id: ids.other }),
  };
}

/** Bodies that cannot be read; null for another forgery. */
export function bodiesOf(how: Forgery): string[] | null {
  if (how === 'malformed') return ['{', '[]', 'null', '{"type":"event_callback","event":7}'];
  if (how === 'deep')
    return ['['.repeat(1000), `{"type":"event_callback","event":${'['.repeat(1000)}${']'.repeat(1000)}}`];
  return how === 'oversize' ? ['x'.repeat(11 * 1024 * 1024)] : null;
}

let events = 0;

export function callbackOf(event: object): object {
  events += 1;
  return { type: 'event_callback', event_id: `Ev${events}`, team_id: 'T0', api_app_id: 'A0', event };
}

export function textOf({ text, mention, kind, media }: FakeMessage, bot: string): string {
  if (kind === 'empty') return '';
  const escaped = (text ?? (media ? '' : 'Hello'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  switch (mention) {
    case undefined:
      return escaped;
    case 'account':
      return `<@${bot}> ${escaped}`;
    case 'other':
      return `<@${ids.other}> ${escaped}`;
    case 'everyone':
      return `<!channel> ${escaped}`;
    case 'name':
      return `@parrot ${escaped}`;
    default:
      throw new NotOfThisPlatform('roles of the bot');
  }
}
