import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';

const kinds = '(stages|runners|platforms|providers|parsers|engines)';
const tests =
  '(\\.test\\.tsx?$|^server/test/|^[^/]+/testing/|^server/src/(kit|mcp)/testing/|^server/src/[^/]+/[^/]+/testing/)';
const ours = '^(sdk|client|server|web|bench|scripts|examples)/';
/** What those that know concrete classes may know: all but each other and the programs that start them. */
const everythingWired = '^server/src/(?!(main|service|administration)\\.ts$|cli/)';
const sdk = '^sdk/src/';
const lib = '^server/src/lib/';

/** Where the modules of a part are, and what of ours they may import; whatever else they import fails. */
const parts: Record<string, { from: string; may: string[] }> = {
  sdk: { from: sdk, may: [sdk, '^sdk/package\\.json$'] },
  client: { from: '^client/', may: ['^client/'] },
  web: { from: '^web/', may: ['^web/', '^client/', sdk] },
  main: { from: '^server/src/main\\.ts$', may: ['^server/src/(service\\.ts$|config/)', sdk, lib] },
  cli: {
    from: '^server/src/cli/',
    may: [
      '^server/(package\\.json$|src/((main|administration)\\.ts$|config/|cli/|plugin-toolkit/))',
      '^client/',
      sdk,
      lib,
    ],
  },
  service: { from: '^server/src/service\\.ts$', may: [everythingWired, '^server/package\\.json$', sdk] },
  assembly: { from: '^server/src/assembly/', may: [everythingWired, sdk] },
  administration: { from: '^server/src/administration\\.ts$', may: [everythingWired, sdk] },
  http: { from: '^server/src/http/', may: ['^server/src/(http|core)/', sdk, lib] },
  storage: { from: '^server/src/storage/', may: ['^server/src/(storage|core)/', sdk, lib] },
  core: { from: '^server/src/core/', may: ['^server/src/core/', sdk, lib] },
  'plugin-toolkit': {
    from: '^server/src/plugin-toolkit/',
    may: ['^server/src/(plugin-toolkit|plugin-host|parser-host|core|kit)/', sdk, lib],
  },
  'plugin-host': { from: '^server/src/plugin-host/', may: ['^server/src/(plugin-host|core|kit)/', sdk, lib] },
  extension: { from: `^server/src/${kinds}/([^/]+)/`, may: ['^server/src/$1/$2/', '^server/src/kit/', sdk, lib] },
  'extension-list': { from: `^server/src/${kinds}/[^/]+\\.ts$`, may: ['^server/src/$1/', sdk, lib] },
  'parser-host': { from: '^server/src/parser-host/', may: ['^server/src/(parser-host|core|kit)/', sdk, lib] },
  'extension-loader': {
    from: '^server/src/extension-loader/',
    may: ['^server/src/(extension-loader|core)/', sdk, lib],
  },
  'schema-host': { from: '^server/src/schema-host/', may: ['^server/src/(schema-host|core)/', sdk, lib] },
  mcp: { from: '^server/src/mcp/', may: ['^server/src/(mcp|core|kit)/', sdk, lib] },
  peers: { from: '^server/src/peers/', may: ['^server/src/(peers|core)/', sdk, lib] },
  kit: { from: '^server/src/kit/', may: ['^server/src/kit/', sdk, lib] },
  config: { from: '^server/src/config/', may: ['^server/src/config/', sdk, lib] },
  lib: { from: lib, may: [lib] },
};

/** The allowed folders and files of `server/src`: the sources of the rules. */
export const serverParts =
  /^(main\.ts|service\.ts|administration\.ts|assembly|cli|config|core|stages|runners|platforms|providers|parsers|engines|storage|plugin-host|plugin-toolkit|extension-loader|parser-host|schema-host|mcp|peers|http|kit|lib)$/;

/** Matches a package, whether it was found below `node_modules` or not found at all. */
function packages(...names: string[]): string {
  return `(^|node_modules/)(@types/)?(${names.join('|')})(/|$)`;
}

const moduleRules: IForbiddenRuleType[] = [
  ...Object.entries(parts).map(([name, { from, may }]) => ({
    name,
    from: { path: from, pathNot: tests },
    to: { path: ours, pathNot: may },
  })),
  {
    name: 'web-takes-types-of-sdk',
    from: { path: '^web/' },
    // The one text of each reason and hint is data without imports.
    to: {
      path: sdk,
      pathNot: '^sdk/src/(?:basic-field-rules|field-rules|hints|problems|reasons)\\.ts$',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'sdk-packages',
    from: { path: sdk, pathNot: tests },
    to: { pathNot: [ours, packages('typebox'), packages('@ai-sdk/provider')] },
  },
  {
    name: 'sdk-takes-types-of-provider',
    from: { path: sdk, pathNot: tests },
    to: { path: packages('@ai-sdk/provider'), dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'core-without-io',
    from: { path: '^server/src/core/', pathNot: tests },
    to: {
      dependencyTypes: ['core'],
      pathNot: '^(node:)?(assert|async_hooks|buffer|crypto|events|path|stream|timers|url|util)(/|$)',
    },
  },
  {
    name: 'core-without-frameworks',
    from: { path: '^server/src/core/', pathNot: tests },
    to: {
      path: packages('@?fastify', 'kysely', 'pg', 'undici', 'pino', 'ws', 'yaml', '@ai-sdk/(?!provider)[^/]+'),
    },
  },
  { name: 'no-tests-in-production', from: { path: ours, pathNot: [tests, '^(bench|scripts)/'] }, to: { path: tests } },
  {
    name: 'no-circle-of-files',
    from: {},
    // A page names its route, and the route loads the page on navigation.
    to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
  },
  { name: 'resolvable', from: { path: ours }, to: { couldNotResolve: true } },
];

const folderRules: IForbiddenRuleType[] = [
  { name: 'no-circle-of-folders', scope: 'folder', from: {}, to: { circular: true } },
];

/** What an import breaks. */
export interface Violation {
  rule: string;
  from: string;
  to: string;
}

/** The imports of the checkout at `root`: every module that was read, and every import that goes against an arrow. */
export async function readArrows(
  root: string,
  folders: string[],
): Promise<{ modules: string[]; violations: Violation[] }> {
  const everything = await read(root, folders, moduleRules);
  // Folders are compared without tests, which may reach everywhere.
  const production = await read(root, folders, folderRules, `${tests}|^(bench|scripts)/`);
  const violations = [...everything.summary.violations, ...production.summary.violations];
  return {
    modules: everything.modules.map(({ source }) => source),
    violations: violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
}

async function read(
  root: string,
  folders: string[],
  forbidden: IForbiddenRuleType[],
  exclude?: string,
): Promise<ICruiseResult> {
  const { output } = await cruise(folders, {
    baseDir: root,
    ruleSet: { forbidden },
    validate: true,
    // Counts `import type` as an import.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: `^[^/]+/dist/${exclude === undefined ? '' : `|${exclude}`}` },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  });
  if (typeof output === 'string') throw new Error('dependency-cruiser did not answer with an object');
  return output;
}
