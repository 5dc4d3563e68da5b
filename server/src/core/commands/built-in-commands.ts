import type { Command } from '@parley/sdk';
import { cancelCommand } from './cancel-command.ts';
import { helpCommand } from './help-command.ts';
import { historyCommand } from './history-command.ts';
import { modelCommand } from './model-command.ts';
import { resetCommand } from './reset-command.ts';
import { statusCommand } from './status-command.ts';

/** The built-in commands, in the order in which `help` lists them. */
export const builtInCommands: readonly Command[] = [
  helpCommand,
  resetCommand,
  cancelCommand,
  modelCommand,
  statusCommand,
  historyCommand,
];
