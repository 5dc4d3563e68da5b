import { silentLogger } from '@parley/sdk/testing';
import { builtInCommands } from '../../src/core/commands/built-in-commands.ts';
import { CommandService } from '../../src/core/commands/command-service.ts';
import { Registry } from '../../src/lib/registry.ts';

/** The built-in commands with the prefix `!`. */
export function builtInCommandService(admins: readonly string[] = []): CommandService {
  const settings = { commandEnabled: true, commandPrefixes: ['!'], commandPrivileges: [], admins };
  return new CommandService(new Registry(builtInCommands), settings, silentLogger);
}
