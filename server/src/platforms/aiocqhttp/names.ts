import type { DeliveryTarget, MessageNames } from '@parley/sdk';
import { type Fields, fieldsOf, textOf } from './fields.ts';
import type { WireIds } from './wire-ids.ts';

export interface NameOptions {
  ids: WireIds;
  lookUp(action: string, params: Fields): Promise<unknown>;
}

/**
 * Asks the client for the name of a group and of a sender; in a group, users may have another one there.
 * @throws DeliveryError when it tells neither
 */
export async function lookUpNames(
  { session_type, session_id }: DeliveryTarget,
  senderId: string,
  { ids, lookUp }: NameOptions,
): Promise<MessageNames> {
  const user_id = ids.account(senderId);
  if (session_type === 'person') return senderName(await lookUp('get_stranger_info', { user_id }));
  const group_id = ids.account(session_id);
  const [group, member] = await Promise.allSettled([
    lookUp('get_group_info', { group_id }),
    lookUp('get_group_member_info', { group_id, user_id }),
  ]);
  if (group.status === 'rejected' && member.status === 'rejected') throw group.reason;
  const group_name = group.status === 'fulfilled' ? textOf(fieldsOf(group.value).group_name) : '';
  return {
    ...(group_name === '' ? {} : { group_name }),
    ...(member.status === 'fulfilled' ? senderName(member.value) : {}),
  };
}

function senderName(data: unknown): MessageNames {
  const { card, nickname } = fieldsOf(data);
  const name = textOf(card) || textOf(nickname);
  return name === '' ? {} : { sender_name: name };
}
