import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { Output } from './output.ts';
import { createProgram } from './program.ts';

const page = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');
const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()] as const;
const terminal = { environment: {}, workingDirectory: '/', stdin, stdout, stderr };
const program = createProgram({ terminal, output: new Output(terminal, false), exitCode: 0 });

/** The commands that do something, with their names in full. */
function leaves(command: Command, path: string): [path: string, command: Command][] {
  if (command.commands.length === 0) return [[path, command]];
  return command.commands.flatMap((inner) => leaves(inner, `${path} ${inner.name()}`));
}

describe('the page about the command line', () => {
  const commands = leaves(program, './parley');

  it('lists as many commands as there are', () => {
    expect(commands).toHaveLength(32);
    expect(page.match(/^\| `\.\/parley /gm)).toHaveLength(commands.length);
  });

  it.each(commands)('describes %s', (path, command) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${path}`));
    expect(row).toBeDefined();
    for (const argument of command.registeredArguments) expect(row).toContain(argument.name());
    // Hidden ones are for the scripts of the checkout.
    for (const option of command.options.filter(({ hidden }) => !hidden)) expect(page).toContain(option.long);
  });
});
