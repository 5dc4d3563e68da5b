/** Modules of Node.js that a plugin may import, with those below them, such as `timers/promises`. */
const allowedModules: ReadonlySet<string> = new Set([
  'assert',
  'async_hooks',
  'buffer',
  'crypto',
  'diagnostics_channel',
  'events',
  'path',
  'perf_hooks',
  'querystring',
  'stream',
  'string_decoder',
  'timers',
  'url',
  'util',
  'zlib',
]);

/** @param name with or without `node:` */
export function isAllowedModule(name: string): boolean {
  return allowedModules.has(name.replace(/^node:/, '').split('/', 1)[0] ?? '');
}
