import type { DeliveryTarget } from '@parley/sdk';
import { settingFault } from '../../kit/setting-fault.ts';

/** An id of Discord: a 64-bit number as text. */
const idShape = /^\d{1,20}$/;

/** Whether a value is an id of Discord. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && idShape.test(value);
}

/**
 * Reads where a program wants to write: a user, a channel, or a thread as `<channel>_<thread>`.
 * @throws ParleyError `invalid_request`
 */
export function parseTarget(
  sessionType: DeliveryTarget['session_type'],
  targetId: string,
): Pick<DeliveryTarget, 'session_id' | 'thread_id'> {
  const [session_id = '', thread_id = '', ...rest] = targetId.split('_');
  const isThread = targetId.includes('_');
  const isValid = isId(session_id) && rest.length === 0 && (!isThread || (sessionType === 'group' && isId(thread_id)));
  if (!isValid) {
    throw settingFault(
      'target_id',
      'target_id must be the id of a user, of a channel, or of a channel and a thread as <channel>_<thread>',
      'target',
    );
  }
  return { session_id, thread_id };
}
