import type { CommandPrivilege, PipelineMessage } from '@parley/sdk';

/** Who gave a command, and where. */
export type CommandSender = Pick<PipelineMessage, 'session_type' | 'session_id' | 'sender_id' | 'facts'>;

/** @param admins `person_<id>` and `group_<id>`; a group includes all of its members */
export function privilegeOf(
  { session_type, session_id, sender_id }: CommandSender,
  admins: readonly string[],
): CommandPrivilege {
  return admins.includes(`${session_type}_${session_id}`) || admins.includes(`person_${sender_id}`) ? 2 : 1;
}

/** Whether a sender may decide for the whole chat: in a group, its administrators and owner. */
export function decidesForAll({ session_type, facts }: CommandSender, privilege: CommandPrivilege): boolean {
  const { sender_permission: permission } = facts;
  return session_type === 'person' || privilege === 2 || permission === 'ADMINISTRATOR' || permission === 'OWNER';
}
