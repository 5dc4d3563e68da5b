import type { DeliveryTarget, SessionType } from '@parley/sdk';
import { settingFault } from '../../kit/setting-fault.ts';

/**
 * Reads where a program wants to write: a user's open id, a group's chat id, or a thread as `<chat>_<thread>`.
 * @throws ParleyError `invalid_request`
 */
export function parseTarget(
  sessionType: SessionType,
  targetId: string,
): Pick<DeliveryTarget, 'session_id' | 'thread_id'> {
  if (sessionType === 'person') {
    if (/^ou_[\w-]{1,100}$/.test(targetId)) return { session_id: targetId, thread_id: '' };
    throw settingFault('target_id', 'target_id must be the open ID of a user, ou_…', 'target');
  }
  const [, session_id = '', thread_id = ''] = /^(oc_[A-Za-z0-9]{1,100})(?:_(omt_[\w-]{1,100}))?$/.exec(targetId) ?? [];
  if (session_id !== '') return { session_id, thread_id };
  throw settingFault('target_id', 'target_id must be a group, oc_…, or one of its threads, oc_…_omt_…', 'target');
}
