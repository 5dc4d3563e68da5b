import {
  type Command,
  type CommandInvocation,
  type CommandPrivilege,
  type Logger,
  type MessageChain,
  ParleyError,
  textOfChain,
} from '@parley/sdk';
import type { Registry } from '../../lib/registry.ts';
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
  /** By the name or an alias of the command, which need not be there yet. */
  readonly #privileges: ReadonlyMap<string, CommandPrivilege>;
  readonly #settings: CommandSettings;

  /** @throws Error with a message for the operator when the settings name a command twice */
  constructor(commands: Registry<Command>, settings: CommandSettings, logger: Logger) {
    this.#commands = commands;
    this.#settings = settings;
    this.#privileges = new Map(
      settings.commandPrivileges.map((entry) => {
        const [name = '', level] = entry.split('=');
        return [name, level === '2' ? 2 : 1];
      }),
    );
    this.#checkPrivileges(logger);
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

  #allows(command: Command, privilege: CommandPrivilege): boolean {
    const { name, aliases = [], privilege: usual = 1 } = command;
    const named = [name, ...aliases].flatMap((each) => this.#privileges.get(each) ?? []);
    // Of two entries, which only a command can have that came later, the stricter one.
    return privilege >= (named.length === 0 ? usual : Math.max(...named));
  }

  #checkPrivileges(logger: Logger): void {
    const seen = new Set<Command>();
    const names = this.#settings.commandPrivileges.map((entry) => entry.split('=')[0] ?? '');
    for (const [index, name] of names.entries()) {
      const command = this.#commands.get(name);
      const isTwice = command === undefined ? names.indexOf(name) !== index : seen.has(command);
      if (isTwice) throw new Error(`command_privileges names the command ${command?.name ?? name} twice`);
      if (command === undefined) {
        logger.warn({ command: name }, 'command_privileges names a command that there is not; kept for when it comes');
      } else seen.add(command);
    }
  }
}

function answer(said: MessageChain | string): CommandAnswer {
  if (typeof said !== 'string') return { text: textOfChain(said), message_chain: said, reason: 'command' };
  return { text: said, message_chain: [{ type: 'Plain', text: said }], reason: 'command' };
}

function denied(text: string): CommandAnswer {
  return { ...answer(text), reason: 'command_denied' };
}
