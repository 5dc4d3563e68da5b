import { isBuiltin, registerHooks } from 'node:module';
import { isAllowedModule } from './allowed-modules.ts';

/*
 * Takes from the process of a plugin what its program may not use, before the program is loaded. This is a part of the
 * first wall, with the permission model of Node.js; the kernel is the second.
 */

/** Members of `process` that reach other processes, the system or the connection to the server. */
const removedMembers = [
  '_debugEnd',
  '_debugProcess',
  '_getActiveHandles',
  '_getActiveRequests',
  '_kill',
  '_linkedBinding',
  'binding',
  'chdir',
  'dlopen',
  'execve',
  'initgroups',
  'kill',
  'loadEnvFile',
  'openStdin',
  'report',
  'setegid',
  'seteuid',
  'setgid',
  'setgroups',
  'setuid',
  'umask',
];

export function hardenProcess(): void {
  // Standard input and output are the connection to the server; `console` writes to `process.stdout`.
  const { stderr, getBuiltinModule } = process;
  Object.defineProperties(process, {
    stdin: { value: undefined },
    stdout: { value: stderr },
    getBuiltinModule: { value: (name: string) => (isAllowedModule(name) ? getBuiltinModule(name) : undefined) },
  });
  for (const name of removedMembers) Reflect.deleteProperty(process, name);
  registerHooks({
    resolve(specifier, context, next) {
      if (isBuiltin(specifier)) {
        if (isAllowedModule(specifier)) return next(specifier, context);
        throw refused(`the module ${specifier} is not available to plugins`);
      }
      if (specifier.startsWith('data:')) return next(specifier, context);
      return { ...fileModule(specifier, context.parentURL), shortCircuit: true };
    },
  });
}

/** By extension. A CommonJS module would be given the loader itself. */
const formats: Readonly<Record<string, string>> = { js: 'module', mjs: 'module', json: 'json', wasm: 'wasm' };

/** Node.js would look for packages, and for the `package.json` above a file, in folders that it may not read. */
function fileModule(specifier: string, parentURL: string | undefined): { url: string; format: string } {
  const isFile = /^(\.{0,2}\/|file:)/.test(specifier);
  const { href, pathname } = new URL(isFile ? specifier : `./${specifier}`, parentURL);
  const format = formats[/\.(\w+)$/.exec(pathname)?.[1] ?? ''];
  if (isFile && format !== undefined) return { url: href, format };
  throw refused(
    `${specifier} is none of the modules that plugins may import: files of their own that end in .js, .mjs, .json or .wasm`,
  );
}

function refused(message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_ACCESS_DENIED' });
}
