import type { Administration } from '../administration.ts';
import type { Config, LoadConfigOptions } from '../config/index.ts';
import type { Output } from './output.ts';
import type { Terminal } from './terminal.ts';

/** The context of every command. Slow imports are loaded by the command that needs them. */
export interface CommandContext {
  terminal: Terminal;
  output: Output;
  /** Set by a command that did its work and found something wrong. */
  exitCode: number;
}

/** Where the settings are read from. */
export function configOptions({ environment, workingDirectory }: Terminal): LoadConfigOptions {
  return { environment, workingDirectory };
}

/** @throws ConfigError that lists every error */
export async function readConfig({ terminal }: CommandContext): Promise<Config> {
  const { loadConfig } = await import('../config/index.ts');
  return loadConfig(configOptions(terminal));
}

/** Opens what administers the installation that the settings name, and closes it afterwards. */
export async function administer<Result>(
  { output }: CommandContext,
  config: Config,
  use: (administration: Administration) => Promise<Result>,
): Promise<Result> {
  const { openAdministration } = await import('../administration.ts');
  const administration = await openAdministration(config, (line) => output.warn(line));
  try {
    return await use(administration);
  } finally {
    await administration.close();
  }
}
