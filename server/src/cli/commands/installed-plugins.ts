import { openAsBlob } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { examples } from '../examples.ts';
import { table } from '../table.ts';
import {
  endOf,
  installPackage,
  isForDataFolder,
  logLine,
  type PackageQuery,
  pathOf,
  type ServerOptions,
  withDataFolder,
  withServer,
  withServerOptions,
} from './plugin-server.ts';

interface InstallOptions extends ServerOptions {
  consent?: true;
  enable: boolean;
  allowDowngrade?: true;
}

/** Commands about the plugins of a running server; some work on the data folder of a stopped one, too. */
export function addInstalledPluginCommands(plugin: Command, context: CommandContext): void {
  const { output } = context;
  const command = (name: string, description: string, ...more: string[]) =>
    withServerOptions(
      plugin
        .command(name)
        .description(
          `${description}; the API key comes from PARLEY_API_KEY${
            worksStopped.has(name) ? '; without one and without --url, on the data folder of a stopped server' : ''
          }`,
        ),
    ).addHelpText('after', examples(...more));
  const id = ['<plugin>', 'author/name'] as const;

  command(
    'install',
    'install or update a plugin from a package',
    './parley plugin install units-1.2.0.zip --consent',
    './parley plugin install units-1.3.0.zip --json',
  )
    .argument('<file>', 'the package')
    .option('--consent', 'consent to all permissions of the package, which `inspect` prints, and to its signer')
    .option('--no-enable', 'install it without running it')
    .option('--allow-downgrade', 'replace the same or a later version')
    .action(async (file: string, options: InstallOptions) => {
      const { inspectPlugin } = await import('../../administration.ts');
      const path = resolve(context.terminal.workingDirectory, file);
      const { digest } = await inspectPlugin(path);
      const query = {
        digest,
        consent: options.consent === true,
        allow_downgrade: options.allowDowngrade === true,
        ...(options.enable ? {} : { enable: false }),
      };
      const result = isForDataFolder(context, options)
        ? await withDataFolder(context, (plugins) => plugins.install(path, query))
        : await installOn(context, options, { path, query });
      const { id: installed, version, state } = result;
      output.note(`${installed} ${version}: ${stateTexts[state] ?? state}`);
      output.result(result, []);
    });

  command(
    'list',
    'list the installed plugins, in the order in which their listeners are called',
    './parley plugin list',
  ).action(async (options: ServerOptions) => {
    if (isForDataFolder(context, options)) {
      const plugins = await withDataFolder(context, (folder) => folder.list());
      if (plugins.length === 0) output.note('No plugins are installed.');
      const rows = plugins.map(({ id, state, installed }) => [id, installed.version, state, installed.source]);
      output.result({ plugins }, rows.length === 0 ? [] : table(columns, rows));
      return;
    }
    const { plugins } = await withServer(context, options, (parley) => parley.get('/api/v1/plugins'));
    if (plugins.length === 0) output.note('No plugins are installed.');
    const rows = plugins.map(({ id, state, install_source, manifest }) => {
      const { metadata } = manifest.manifest as { metadata?: { version?: string } };
      return [id, metadata?.version ?? '', state, install_source];
    });
    output.result({ plugins }, rows.length === 0 ? [] : table(columns, rows));
  });

  command('logs', 'print the latest lines of the log of a plugin', './parley plugin logs example/units')
    .argument(...id)
    .action(async (name: string, options: ServerOptions) => {
      const { lines, unreachable_replicas } = await withServer(context, options, (parley) =>
        parley.get('/api/v1/plugins/{author}/{name}/logs', { params: { path: pathOf(name), query: { limit: 1000 } } }),
      );
      for (const replica of unreachable_replicas)
        output.warn(`replica ${replica} did not answer; its lines are missing`);
      output.result(
        { lines, unreachable_replicas },
        lines.map((line) => logLine(line)),
      );
    });

  command(
    'remove',
    'uninstall a plugin; its settings and data stay for another installation',
    './parley plugin remove example/units',
    './parley plugin remove example/units --delete-data',
  )
    .argument(...id)
    .option('--delete-data', 'also delete its settings and what it stored')
    .action(async (name: string, options: ServerOptions & { deleteData?: true }) => {
      const path = pathOf(name);
      const withData = options.deleteData === true;
      if (isForDataFolder(context, options)) {
        await withDataFolder(context, (plugins) => plugins.remove(name, withData));
      } else {
        const params = { path, query: withData ? { delete_data: 'true' } : {} };
        await withServer(context, options, async (parley) => {
          const { task_id } = await parley.delete('/api/v1/plugins/{author}/{name}', { params });
          return endOf(parley, task_id);
        });
      }
      output.note(`${name} is removed.`);
      output.result({ removed: name }, []);
    });

  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    command(verb, `${verb} a plugin`, `./parley plugin ${verb} example/units`)
      .argument(...id)
      .action(async (name: string, options: ServerOptions) => {
        await withServer(context, options, (parley) =>
          parley.put('/api/v1/plugins/{author}/{name}/enabled', { params: { path: pathOf(name) }, body: { enabled } }),
        );
        output.note(`${name} is ${verb}d.`);
        output.result({ id: name, enabled }, []);
      });
  }

  command(
    'consent',
    'consent to the permissions of the installed version, or of the update that waits',
    './parley plugin consent example/units',
    './parley plugin consent example/units --digest 3f0a…',
  )
    .argument(...id)
    .option('--digest <sha256>', 'of the version to consent to (default: the one that waits for consent)')
    .action(async (name: string, options: ServerOptions & { digest?: string }) => {
      const digest = await withServer(context, options, async (parley) => {
        const params = { path: pathOf(name) };
        const { details } = await parley.get('/api/v1/plugins/{author}/{name}', { params });
        const version = details.update ?? details.installed;
        await parley.post('/api/v1/plugins/{author}/{name}/consent', {
          params,
          body: { digest: options.digest ?? version.digest },
        });
        return options.digest ?? version.digest;
      });
      output.note(`${name} has the consent to run.`);
      output.result({ id: name, digest }, []);
    });

  command('order', 'set the order in which listeners of plugins are called', './parley plugin order a/first a/second')
    .argument('<plugins...>', 'author/name of every installed plugin')
    .action(async (order: string[], options: ServerOptions) => {
      await withServer(context, options, (parley) => parley.put('/api/v1/plugins/order', { body: { order } }));
      output.note('The order is set.');
      output.result({ order }, []);
    });

  command('rollback', 'return to the version before', './parley plugin rollback example/units')
    .argument(...id)
    .action(async (name: string, options: ServerOptions) => {
      await withServer(context, options, (parley) =>
        parley.post('/api/v1/plugins/{author}/{name}/rollback', { params: { path: pathOf(name) } }),
      );
      output.note(`The version before of ${name} is in place.`);
      output.result({ id: name }, []);
    });
}

async function installOn(
  context: CommandContext,
  options: ServerOptions,
  { path, query }: { path: string; query: PackageQuery },
): Promise<{ id: string; version: string; state: string }> {
  const content = await openAsBlob(path);
  return withServer(context, options, (parley) => installPackage(parley, { content, name: basename(path), query }));
}

/** Commands that need no server. */
const worksStopped = new Set(['install', 'list', 'remove']);

const columns = ['ID', 'VERSION', 'STATE', 'SOURCE'];

const stateTexts: Record<string, string> = {
  enabled: 'installed and enabled',
  disabled: 'installed, not enabled',
  consent_required: 'installed; it does not run before you consent to its permissions',
  waiting: 'the update waits for consent, and the version before stays',
};
