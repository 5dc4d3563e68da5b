import type { DeliveryTarget, SessionType } from '@parley/sdk';
import { settingFault } from '../../kit/setting-fault.ts';

/**
 * Reads the target of an unsolicited message: a user or a channel, and a thread of it as `<id>#<timestamp>`.
 * @throws ParleyError `invalid_request`
 */
export function parseTarget(
  sessionType: SessionType,
  targetId: string,
): Pick<DeliveryTarget, 'session_id' | 'thread_id'> {
  const [, session_id = '', thread_id = ''] = /^([A-Z][A-Z0-9]{1,63})(?:#(\d{1,11}\.\d{1,9}))?$/.exec(targetId) ?? [];
  if (session_id !== '') return { session_id, thread_id };
  const what = sessionType === 'group' ? 'the id of a channel' : 'the id of a user';
  throw settingFault('target_id', `target_id must be ${what}, or that and a thread as <id>#<timestamp>`, 'target');
}
