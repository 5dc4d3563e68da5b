import type { Command, CommandPrivilege } from '@parley/sdk';
import { type CommandSender, decidesForAll } from './privilege.ts';

/** The immediate effect of a command when it is stored. */
export interface Interruption {
  /** The reason the messages end with. */
  reason: 'cancelled' | 'reset';
  /**
   * `all`: running messages and those waiting before the command. `own`: running messages of the sender of the command.
   * In a group, a member cannot end answers to others.
   */
  reach: 'all' | 'own';
}

/**
 * The effect of a command on earlier messages, without waiting in the queue of its conversation: the messages that it
 * is to cancel would have ended by then.
 * @param privilege that of the sender, who may use the command
 * @returns null when it has no such effect
 */
export function interruptionBy(
  command: Command,
  sender: CommandSender,
  privilege: CommandPrivilege,
): Interruption | null {
  if (command.interrupts === undefined) return null;
  return { reason: command.interrupts, reach: decidesForAll(sender, privilege) ? 'all' : 'own' };
}
