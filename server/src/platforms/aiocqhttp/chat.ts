import type { DeliveryTarget, SessionType } from '@parley/sdk';
import { settingFault } from '../../kit/setting-fault.ts';

export type Chat = Pick<DeliveryTarget, 'session_type' | 'session_id'>;

/** Message ids of clients may repeat in other chats, so they count with the chat. */
export function platformMessageId({ session_type, session_id }: Chat, id: string): string {
  return `${session_type}_${session_id}/${id}`;
}

/** The client's id of a message, which may have its chat in front. */
export function messageIdOf(id: string | number | null | undefined): string | null {
  const text = String(id ?? '').replace(/^(person|group)_[^/]*\//, '');
  return text === '' ? null : text;
}

/**
 * Reads the target of an unsolicited message: the number of an account or a group.
 * @throws ParleyError `invalid_request`
 */
export function parseTarget(sessionType: SessionType, targetId: string): { session_id: string; thread_id: string } {
  if (/^[1-9]\d{0,15}$/.test(targetId)) return { session_id: targetId, thread_id: '' };
  const what = sessionType === 'group' ? 'the number of a QQ group' : 'a QQ number';
  throw settingFault('target_id', `target_id must be ${what}`, 'target');
}
