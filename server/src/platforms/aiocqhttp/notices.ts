import type { PlatformNotice } from '@parley/sdk';
import { type Chat, platformMessageId } from './chat.ts';
import { type Fields, idOf, textOf } from './fields.ts';

/** A notice of the client about a chat, as the service takes it. */
export interface ChatNotice {
  chat: Chat;
  notice: PlatformNotice;
}

/**
 * @returns null for one that means nothing to a bot
 * @see https://github.com/botuniverse/onebot-11/blob/master/event/notice.md
 */
export function readNotice(event: Fields, account: string | null): ChatNotice | null {
  const [user, group, message] = [idOf(event.user_id), idOf(event.group_id), idOf(event.message_id)];
  const inGroup: Chat | null = group === null ? null : { session_type: 'group', session_id: group };
  const withUser: Chat | null = user === null ? null : { session_type: 'person', session_id: user };
  switch (event.notice_type) {
    case 'group_recall':
      return recalled(inGroup, message);
    case 'friend_recall':
      return recalled(withUser, message);
    case 'group_increase':
      return user === account ? added(inGroup, event) : null;
    case 'friend_add':
      return added(withUser, event);
    default:
      return null;
  }
}

function recalled(chat: Chat | null, message: string | null): ChatNotice | null {
  if (chat === null || message === null) return null;
  return { chat, notice: { type: 'recalled', platform_message_id: platformMessageId(chat, message) } };
}

/** Events have no id of their own; a repeated one has the same time. */
function added(chat: Chat | null, { notice_type, time }: Fields): ChatNotice | null {
  if (chat === null) return null;
  const platform_event_id = [textOf(notice_type), chat.session_id, textOf(time)].join('/');
  return { chat, notice: { type: 'bot_added', ...chat, thread_id: '', platform_event_id } };
}
