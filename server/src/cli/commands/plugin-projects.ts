import { writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { CommandError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import { examples } from '../examples.ts';
import { addDevelop } from './plugin-develop.ts';

/** What authors of plugins use: projects, packages and signatures. Only `dev` needs a server, and nothing a network. */
export function addPluginProjectCommands(plugin: Command, context: CommandContext): void {
  for (const add of [addCreate, addTest, addDevelop, addPack, addKey, addSign]) add(plugin, context);
}

function addCreate(plugin: Command, context: CommandContext): void {
  const { output } = context;
  plugin
    .command('create')
    .description('write the project of a new plugin, in TypeScript')
    .argument('<plugin>', 'author/name')
    .argument('[folder]', 'a new or empty folder (default: the name)')
    .option('--kind <kind>', 'what it adds: tool, command, listener, parser, engine, runner, page or schedule', 'tool')
    .addHelpText(
      'after',
      examples('./parley plugin create ada/units', './parley plugin create ada/moderator my-plugin --kind listener'),
    )
    .action(async (id: string, given: string | undefined, { kind }: { kind: string }) => {
      const { createProject } = await import('../../plugin-toolkit/create-project.ts');
      const folder = inFolder(context, given ?? basename(id));
      const files = await createProject(id, kind, folder);
      output.note(`The project of ${id} is in ${folder}.`);
      output.result({ folder, files }, files);
    });
}

function addTest(plugin: Command, context: CommandContext): void {
  const { output } = context;
  plugin
    .command('test')
    .description(
      'test the project of a plugin: its types, its own tests, and all that it declares, in a process as on a server',
    )
    .argument('[folder]', 'the project', '.')
    .option('--set <name=value>', 'a setting besides those of the samples (repeatable)', settingsOf, {})
    .addHelpText(
      'after',
      examples('./parley plugin test units', './parley plugin test search --set server=http://127.0.0.1:8000'),
    )
    .action(async (given: string, { set }: { set: Record<string, unknown> }) => {
      const { checkPlugin } = await import('../../plugin-toolkit/check-plugin.ts');
      const checks = [];
      for await (const check of checkPlugin(inFolder(context, given), { settings: set })) {
        const { name, outcome, remark, milliseconds } = check;
        checks.push(check);
        if (!output.isJson)
          output.result({}, [`${outcome} ${name} (${milliseconds} ms)${remark === '' ? '' : `: ${remark}`}`]);
      }
      const failed = checks.filter(({ outcome }) => outcome === 'failed').length;
      if (output.isJson) output.result({ passed: failed === 0, checks }, []);
      output.note(failed === 0 ? 'The plugin passes.' : `${failed} of ${checks.length} checks failed.`);
      if (failed > 0) context.exitCode = 1;
    });
}

function addPack(plugin: Command, context: CommandContext): void {
  const { output } = context;
  plugin
    .command('pack')
    .description('pack the project of a plugin; the same sources are the same bytes')
    .argument('[folder]', 'the project', '.')
    .option('--out <file>', 'the package (default: <name>-<version>.zip in the project)')
    .addHelpText('after', examples('./parley plugin pack units', './parley plugin pack units --out units.zip'))
    .action(async (given: string, { out }: { out?: string }) => {
      const { packPlugin } = await import('../../plugin-toolkit/pack-plugin.ts');
      const folder = inFolder(context, given);
      const { bytes, inspected } = await packPlugin(folder);
      const { manifest, digest, size } = inspected;
      const { id, version } = manifest;
      const file = out === undefined ? join(folder, `${basename(id)}-${version}.zip`) : inFolder(context, out);
      await writeFile(file, bytes);
      output.note(`${id} ${version} is packed: ${size} bytes, SHA-256 ${digest}`);
      output.result({ file, id, version, digest, size }, [file]);
    });
}

function addKey(plugin: Command, context: CommandContext): void {
  const { output } = context;
  plugin
    .command('key')
    .description('make a key to sign packages with; only its owner can read the file')
    .argument('<file>', 'a new file')
    .addHelpText('after', examples('./parley plugin key ~/.config/parley/author.pem'))
    .action(async (given: string) => {
      const { createSigningKey } = await import('../../plugin-toolkit/sign-package.ts');
      const file = inFolder(context, given);
      const key = await createSigningKey(file);
      output.note(`The key is in ${file}. Keep it: updates that another key has signed need consent.`);
      output.result({ file, ...key }, [`fingerprint: ${key.fingerprint}`]);
    });
}

function addSign(plugin: Command, context: CommandContext): void {
  const { output } = context;
  plugin
    .command('sign')
    .description('sign a package, in its place')
    .argument('<file>', 'the package')
    .requiredOption('--key <file>', 'the key, which `key` makes')
    .option('--out <file>', 'the signed package (default: in place of the other)')
    .addHelpText('after', examples('./parley plugin sign units-1.2.0.zip --key ~/.config/parley/author.pem'))
    .action(async (given: string, { key: keyFile, out = given }: { key: string; out?: string }) => {
      const { readSigningKey, signPackage } = await import('../../plugin-toolkit/sign-package.ts');
      const key = await readSigningKey(inFolder(context, keyFile));
      const { bytes, inspected } = await signPackage(inFolder(context, given), key);
      if (inspected.signature === null) throw new CommandError('failed', 'the package has no signature');
      const file = inFolder(context, out);
      await writeFile(file, bytes);
      const { fingerprint } = inspected.signature;
      const { digest } = inspected;
      output.note(`${inspected.manifest.id} is signed by the key ${fingerprint}`);
      output.result({ file, digest, fingerprint }, [file]);
    });
}

/** A setting as an option has it; what is JSON is a value of it. */
function settingsOf(text: string, before: Record<string, unknown>): Record<string, unknown> {
  const [, name, value = ''] = /^([a-z][a-z0-9_-]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It must be name=value.');
  try {
    return { ...before, [name]: JSON.parse(value) };
  } catch {
    return { ...before, [name]: value };
  }
}

function inFolder({ terminal }: CommandContext, path: string): string {
  return resolve(terminal.workingDirectory, path);
}
