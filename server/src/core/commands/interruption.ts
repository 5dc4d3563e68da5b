import type { Command, Privilege } from './command.ts';
import { type CommandSender, decidesForAll } from './privilege.ts';

/** What a command does as soon as it was stored. */
export interface Interruption {
  /** What the messages end with. */
  reason: 'cancelled' | 'reset';
  /**
   * `all`: what is under way and what waits before the command. `own`: what is under way, if the sender of the command
   * asked for it. Somebody in a group cannot end what others asked.
   */
  reach: 'all' | 'own';
}

/**
 * What a command does to what comes before it, without waiting for its turn: it stands at the end of the queue of its
 * conversation, and what it is to cancel would be over by then.
 * @param privilege that of the sender, who may give the command
 * @returns null when it does nothing of the kind
 */
export function interruptionBy(command: Command, sender: CommandSender, privilege: Privilege): Interruption | null {
  if (command.interrupts === undefined) return null;
  return { reason: command.interrupts, reach: decidesForAll(sender, privilege) ? 'all' : 'own' };
}
