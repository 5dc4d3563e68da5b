import { type MessageChain, ParleyError, textOfChain } from '@parley/sdk';
import type { Registry } from '../../lib/registry.ts';
import type { Command, CommandInvocation, Privilege } from './command.ts';
import { type Interruption, interruptionBy } from './interruption.ts';
import { type ParsedCommand, parseCommand } from './parse-command.ts';
import { type CommandSender, decidesForAll, privilegeOf } from './privilege.ts';

/** The settings of the installation that commands follow. */
export interface CommandSettings {
  commandEnabled: boolean;
  /** Command prefixes. */
  commandPrefixes: readonly string[];
  /** `reset=2`: overrides the privilege that a command requires. */
  commandPrivileges: readonly string[];
  /** `person_<id>` and `group_<id>`: those with privilege 2. */
  admins: readonly string[];
}

/** The context of a command. */
export type CommandContext = Pick<CommandInvocation, 'message' | 'pipeline' | 'conversation'>;

/** The reply of a command, and the reason its message ends with. */
export interface CommandAnswer {
  text: string;
  message_chain: MessageChain;
  reason: 'command' | 'command_denied';
}

/** Finds chat commands in messages and runs them. */
export class CommandService {
  readonly #commands: Registry<Command>;
  readonly #privileges: ReadonlyMap<Command, Privilege>;
  readonly #settings: CommandSettings;

  /** @throws Error with a message for the operator when the settings name an unknown command */
  constructor(commands: Registry<Command>, settings: CommandSettings) {
    this.#commands = commands;
    this.#settings = settings;
    this.#privileges = this.#readPrivileges();
  }

  /** @returns null when the message is no command, or commands are switched off */
  parse(chain: MessageChain, botAccountId: string | null): ParsedCommand | null {
    const { commandEnabled, commandPrefixes } = this.#settings;
    return commandEnabled ? parseCommand(chain, botAccountId, commandPrefixes) : null;
  }

  /** The immediate effect of a command when it is stored; null when it has none. */
  interruption(parsed: ParsedCommand, sender: CommandSender): Interruption | null {
    const command = this.#commands.get(parsed.name);
    if (command === undefined) return null;
    const privilege = privilegeOf(sender, this.#settings.admins);
    return this.#allows(command, privilege) ? interruptionBy(command, sender, privilege) : null;
  }

  /** Runs a command. An error thrown is a bug. */
  async run(parsed: ParsedCommand, context: CommandContext): Promise<CommandAnswer> {
    const { name, parameters, prefix } = parsed;
    const command = this.#commands.get(name);
    if (command === undefined) return answer(`Unknown command. ${prefix}help lists the commands.`);
    const privilege = privilegeOf(context.message, this.#settings.admins);
    if (!this.#allows(command, privilege)) return denied('You may not give this command.');
    const invocation: CommandInvocation = {
      ...context,
      parameters,
      prefix,
      privilege,
      decidesForAll: decidesForAll(context.message, privilege),
      commands: this.#commands.list().filter((each) => this.#allows(each, privilege)),
    };
    try {
      return answer(await command.run(invocation));
    } catch (error) {
      if (error instanceof ParleyError && error.reason === 'command_denied') return denied(error.message);
      throw error;
    }
  }

  #allows(command: Command, privilege: Privilege): boolean {
    return privilege >= (this.#privileges.get(command) ?? command.privilege);
  }

  #readPrivileges(): ReadonlyMap<Command, Privilege> {
    const privileges = new Map<Command, Privilege>();
    for (const entry of this.#settings.commandPrivileges) {
      const [name = '', level] = entry.split('=');
      const command = this.#commands.get(name);
      // Ignoring it would leave the intended command open to everyone.
      if (command === undefined) throw new Error(`command_privileges names an unknown command: ${name}`);
      if (privileges.has(command)) throw new Error(`command_privileges names the command ${command.name} twice`);
      privileges.set(command, level === '2' ? 2 : 1);
    }
    return privileges;
  }
}

function answer(said: MessageChain | string): CommandAnswer {
  if (typeof said !== 'string') return { text: textOfChain(said), message_chain: said, reason: 'command' };
  return { text: said, message_chain: [{ type: 'Plain', text: said }], reason: 'command' };
}

function denied(text: string): CommandAnswer {
  return { ...answer(text), reason: 'command_denied' };
}
