import type { DeliveryTarget, SessionType } from '@parley/sdk';
import { settingFault } from '../../kit/setting-fault.ts';

/**
 * Reads where a program wants to write: the staff ID of a user, or the conversation ID of a group.
 * @throws ParleyError `invalid_request`
 */
export function parseTarget(
  sessionType: SessionType,
  targetId: string,
): Pick<DeliveryTarget, 'session_id' | 'thread_id'> {
  if (/^[\x21-\x7e]{1,200}$/.test(targetId)) return { session_id: targetId, thread_id: '' };
  const expected = sessionType === 'person' ? 'the staff ID of a user' : 'the conversation ID of a group, cid…';
  throw settingFault('target_id', `target_id must be ${expected}`, 'target');
}

/**
 * Whether a session has only the encrypted id of a user outside the company: nothing but the session webhook reaches
 * them.
 */
export function isOutsider({ session_type, session_id }: Pick<DeliveryTarget, 'session_type' | 'session_id'>): boolean {
  return session_type === 'person' && session_id.startsWith('$:');
}
