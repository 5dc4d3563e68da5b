import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { english } from '../../web/src/locales/en/index.ts';
import { readArrows, serverParts, type Violation } from './architecture/arrows.ts';
import { sourceFaults, sourceFiles } from './architecture/source-rules.ts';
import { SpelledTexts } from './architecture/spelled-texts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['sdk', 'client', 'server', 'web', 'bench', 'scripts', 'examples'].filter((folder) =>
  existsSync(join(root, folder)),
);

describe('the arrows between folders', () => {
  // It reads every module, which takes long while other tests keep the machine busy.
  test('hold for every import', { timeout: 120_000 }, async () => {
    const { modules, violations } = await readArrows(root, folders);
    // A reader that cannot parse TypeScript reads nothing and finds nothing wrong.
    expect(modules.length).toBeGreaterThan(100);
    expect(modules).toEqual(
      expect.arrayContaining(['server/src/main.ts', 'server/src/service.ts', 'sdk/src/errors.ts', 'web/src/main.tsx']),
    );
    expect(violations.map(({ rule, from, to }) => `${rule}: ${from} -> ${to}`)).toEqual([]);
  });

  test('begin at every part of the server', () => {
    expect(readdirSync(join(root, 'server/src')).filter((name) => !serverParts.test(name))).toEqual([]);
  });

  test('allow what they should', async () => {
    expect(await plant(allowed)).toEqual([]);
  });

  let broken: Promise<Violation[]> | undefined;
  test.each(forbidden())('$rule: $from must not import $to', async ({ rule, planted, to }) => {
    broken ??= plantForbidden();
    const target = to.replace(/^(type|node):/, '');
    expect(await broken).toContainEqual({ rule, from: planted, to: expect.stringContaining(target) });
  });

  test('allow no circle of files', async () => {
    const violations = await plant({
      'server/src/lib/one.ts': "import type { Two } from './two.ts';\nexport type One = Two;",
      'server/src/lib/two.ts': "import type { One } from './one.ts';\nexport type Two = One;",
    });
    expect(violations.map(({ rule }) => rule)).toEqual(['no-circle-of-files']);
  });

  test('allow no circle of folders', async () => {
    const violations = await plant({
      'server/src/core/bots/bot.ts': `import type { Store } from '../files/store.ts';\nexport type Bot = Store;`,
      'server/src/core/files/store.ts': 'export type Store = string;',
      'server/src/core/files/file.ts': `export type { Rule } from '../bots/rule.ts';`,
      'server/src/core/bots/rule.ts': 'export type Rule = string;',
    });
    expect(violations.map(({ rule }) => rule)).toContain('no-circle-of-folders');
    expect(violations.map(({ rule }) => rule)).not.toContain('no-circle-of-files');
  });
});

describe('folders of extensions', () => {
  const files = [...sourceFiles(root, ['server/src/runners', 'server/src/stages'])].map(({ path }) => path);
  const foldersOf = (kind: string) =>
    new Set(files.flatMap((path) => new RegExp(`^server/src/${kind}/[^/]+/`, 'u').exec(path)?.[0] ?? []));

  test('those of runners share the names of their main files', () => {
    const runners = [...foldersOf('runners')];
    expect(runners).toHaveLength(9);
    for (const name of ['index.ts', 'config.ts', 'answer.ts']) {
      expect(
        runners.filter((folder) => !files.includes(folder + name)),
        name,
      ).toEqual([]);
    }
  });

  test('those of stages have their settings in a file of their own', () => {
    const stages = [...foldersOf('stages')];
    expect(stages).toHaveLength(12);
    expect(stages.filter((folder) => !files.includes(`${folder}config.ts`))).toEqual([]);
  });
});

describe('source files', () => {
  test('follow the rules', () => {
    const files = [...sourceFiles(root, folders)];
    expect(files.map(({ path }) => path)).toContain('server/src/main.ts');
    const faults = files.flatMap(({ path, content }) =>
      sourceFaults(path, content).map((fault) => `${path}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  test.each([
    ['server/src/lib/retryDelay.ts', '', 'the name is not kebab-case'],
    ['web/src/pages/Chat.tsx', '', 'the name is not kebab-case'],
    ['server/src/lib/long.ts', 'x\n'.repeat(501), 'the file has more than 500 lines'],
    ['server/src/lib/later.ts', `// ${'TO'}${'DO'}: later`, 'the file says that something is unfinished'],
    ['server/src/kit/proxy.ts', 'const proxy = process.env.HTTP_PROXY;', 'the file reads the environment'],
    ['server/src/kit/proxy.ts', "const proxy = process['env'].HTTP_PROXY;", 'the file reads the environment'],
    ['server/src/kit/proxy.ts', 'const { env } = process;', 'the file reads the environment'],
    ['server/src/kit/proxy.ts', "import { env } from 'node:process';", 'the file reads the environment'],
    ['sdk/src/proxy.ts', 'process.env', 'the file reads the environment'],
    ['server/src/core/tools/check.ts', "import { Ajv } from 'ajv';", 'the file compiles schemas'],
    ['server/src/core/tools/check.ts', "await import('ajv/dist/2020.js')", 'the file compiles schemas'],
    ['server/src/mcp/check.ts', "import addFormats from 'ajv-formats';", 'the file compiles schemas'],
    ['server/src/lib/find.ts', 'new RegExp(pattern)', 'the file makes a pattern from a variable'],
    ['server/src/lib/find.ts', "RegExp(pattern, 'u')", 'the file makes a pattern from a variable'],
    ['server/src/lib/find.ts', `new RegExp(\`^\${word}\`)`, 'the file makes a pattern from a variable'],
    ['web/src/lib/find.ts', "new RegExp('a' + word)", 'the file makes a pattern from a variable'],
    ['server/src/core/bots/bot.ts', 'const due = Date.now() + 5;', 'the file reads the clock of this machine'],
    ['server/src/storage/bots/bots.ts', 'run({ now: Date.now });', 'the file reads the clock of this machine'],
    ['server/src/platforms/telegram/poll.ts', 'new Date().toISOString()', 'the file reads the clock of this machine'],
    ['sdk/src/merge.ts', 'const merged = { ...base, ...{ a, b } };', 'line 1 spreads an object literal'],
    ['sdk/src/merge.ts', 'const merged = {\n  .../* c */ ({ a } as Part),\n};', 'line 2 spreads an object literal'],
    ['server/src/lib/merge.test.ts', 'call({ ...<Part>{ a } });', 'line 1 spreads an object literal'],
    ['scripts/merge.mjs', 'export default { ...{ a: 1 } };', 'line 1 spreads an object literal'],
    ['web/src/pages/form.tsx', 'const form = <Form {...{ a, b }} />;', 'line 1 spreads an object literal'],
    ['server/src/lib/first.ts', 'const first = list[0] as string;', 'line 1 has a cast without a comment'],
    ['bench/lib/first.ts', '// Why.\n\nconst [a] = list;\nsum(a as number);', 'line 4 has a cast without a comment'],
    ['sdk/src/first.ts', '// With `as number`, why.\n\nuse(a as string);', 'line 3 has a cast without a comment'],
    ['web/src/lib/first.ts', "const said = '// ';\nuse(a as string);", 'line 2 has a cast without a comment'],
  ])('%s fails, case %$', (path, content, fault) => {
    expect(sourceFaults(path, content)).toEqual([fault]);
  });

  test.each([
    ['server/src/main.ts', 'loadConfig({ environment: process.env })'],
    ['server/src/cli/parley.ts', 'const { env } = process;'],
    ['scripts/prepare.mjs', 'process.env.PATH'],
    ['server/src/lib/retry-delay.test.ts', 'process.env.PATH'],
    ['server/src/lib/long.ts', 'x\n'.repeat(500)],
    ['server/src/lib/process.ts', 'the process environment'],
    ['server/src/schema-host/schema-validator.ts', "import { Ajv } from 'ajv';"],
    ['server/src/lib/find.test.ts', 'new RegExp(pattern)'],
    ['server/src/lib/find.ts', "new RegExp('a|b', 'u'); new RegExp(`a\\`b`); const pattern: RegExp = /a/;"],
    ['server/src/core/bots/bot.test.ts', 'Date.now()'],
    ['server/src/kit/sockets/pace.ts', 'Date.now()'],
    ['server/src/storage/database-time.ts', 'Date.now()'],
    ['sdk/src/merge.ts', "({ ...base, ...(given ? { a } : {}), ...parts[{ a }.a], text: '...{ a }' });"],
    ['sdk/src/first.ts', '// It is not empty.\nconst first = list[0] as string;'],
    ['sdk/src/first.ts', 'const first = list[0] as string; // It is not empty.'],
    ['sdk/src/first.ts', '// With `as number`, why.\n\nconst first = list[0] as number;\nuse(first as number);'],
    ['sdk/src/first.ts', "const list = given as string[]; const named = 'as string'; const kind = 'a' as const;"],
    ['server/src/lib/first.test.ts', 'const first = list[0] as string;'],
    ['vite.config.ts', ''],
  ])('%s passes, case %$', (path, content) => {
    expect(sourceFaults(path, content)).toEqual([]);
  });
});

describe('tests of the console', () => {
  test('take what it says from its dictionary', () => {
    const files = [...sourceFiles(root, folders)].filter(
      ({ path, content }) =>
        /^(server\/test\/(browser|long)|web\/testing)\/|^web\/.*\.test\.tsx$/.test(path) ||
        /^import .* from 'playwright-core';$/m.test(content),
    );
    expect(files.length).toBeGreaterThan(40);
    const texts = new SpelledTexts(english);
    const spelled = files.flatMap(({ path, content }) => texts.in(content, path).map((one) => `${path}:${one}`));
    expect(spelled).toEqual([]);
  });

  const planted = new SpelledTexts({
    common: { save: 'Save', done: 'done', deleted: '“{{name}}” was deleted.', action: '{{kind}}: {{verb}}' },
    signIn: { refused: 'The user name or the password is not right.', left_other: '{{count}} codes are left.' },
  });

  test.each([
    ["page.getByRole('button', { name: 'Save' })", 'Save'],
    ["page.getByRole('button', { name: 'save', exact: false })", 'save'],
    ["page.getByRole('button', { name: isNew ? 'Make' : 'Save' })", 'Save'],
    ['page.getByRole("button", { name: /^Save/ })', 'Save'],
    ["button('Save')", 'Save'],
    ["const menu = ['Save'];", 'Save'],
    ["row.filter({ hasText: 'done' })", 'done'],
    ["page.getByText('is not right')", 'is not right'],
    ['page.getByText(/password is not \\w+/)', 'password is not'],
    ["page.getByText('“Parrot” was deleted.')", '“Parrot” was deleted.'],
    [`page.getByText(\`“\${name}” was deleted.\`)`, '“0” was deleted.'],
    ["page.getByLabel('9 codes are left.')", '9 codes are left.'],
  ])('would be found out with %s', (content, words) => {
    expect(planted.in(`one();\n${content}`)).toEqual([`2: ${words}`]);
  });

  test('would be found out in an element', () => {
    expect(planted.in("render(<p title='Save'>{'Save'}</p>);", 'page.test.tsx')).toEqual(['1: Save', '1: Save']);
  });

  test.each([
    "import { save } from 'Save';",
    "test('Save', () => undefined);",
    "test.each([1])('Save', () => undefined);",
    "throw new Error('Save');",
    "expect(state).toBe('done');",
    "page.getByRole('done', { name: english.common.save })",
    "page.getByText(fill(english.common.deleted, { name: 'Parrot' }))",
    "page.getByText('Bot: changed')",
    "page.getByText('Saved search')",
    'page.getByText(/^\\(: /)',
  ])('may have %s', (content) => {
    expect(planted.in(content)).toEqual([]);
  });
});

/** A small tree of the same shape, with one import for every arrow. */
const allowed = imports({
  'sdk/src/index.ts': ['typebox'],
  'sdk/src/model.ts': ['type:@ai-sdk/provider'],
  'client/src/index.ts': [],
  'web/src/main.tsx': ['client/src/index.ts', 'type:sdk/src/index.ts'],
  'server/src/main.ts': ['server/src/service.ts', 'server/src/config/config.ts'],
  'server/src/cli/command.ts': ['server/src/main.ts', 'server/src/administration.ts', 'client/src/index.ts'],
  'server/src/administration.ts': ['server/src/storage/store.ts', 'server/src/core/bots/bot.ts'],
  'server/src/assembly/messages.ts': ['server/src/storage/store.ts', 'server/src/core/bots/bot.ts'],
  'server/src/service.ts': [
    'server/src/assembly/messages.ts',
    'server/src/http/server.ts',
    'server/src/storage/store.ts',
    'server/src/core/bots/bot.ts',
    'server/src/platforms/index.ts',
  ],
  'server/src/http/server.ts': ['server/src/core/bots/bot.ts', 'server/src/lib/text.ts', 'fastify', 'node:fs'],
  'server/src/storage/store.ts': ['server/src/core/bots/bot.ts', 'kysely', 'node:sqlite'],
  'server/src/core/bots/bot.ts': ['sdk/src/index.ts', 'server/src/lib/text.ts', 'node:crypto'],
  'server/src/platforms/index.ts': ['server/src/platforms/chat/index.ts'],
  'server/src/platforms/chat/index.ts': ['sdk/src/index.ts', 'server/src/kit/fetch.ts', 'server/src/lib/text.ts'],
  'server/src/platforms/mail/index.ts': [],
  'server/src/platforms/mail/testing/fake-mail.ts': ['server/test/factory.ts'],
  'server/src/runners/local/index.ts': ['sdk/src/index.ts'],
  'server/src/kit/fetch.ts': ['sdk/src/index.ts', 'undici'],
  'server/src/config/config.ts': ['sdk/src/index.ts'],
  'server/src/lib/text.ts': [],
  'server/src/lib/text.test.ts': ['server/src/service.ts'],
  'server/test/factory.ts': ['server/src/service.ts'],
});

/** One import that must not be, for every rule, each in a file of its own unless the rule is about one file. */
function forbidden(): { rule: string; from: string; to: string; planted: string; statement: string }[] {
  const table: [rule: string, from: string, to: string][] = [
    ['sdk', 'sdk/src/bad.ts', 'server/src/lib/text.ts'],
    ['sdk-packages', 'sdk/src/bad.ts', 'undici'],
    ['sdk-packages', 'sdk/src/bad.ts', 'node:fs'],
    ['sdk-takes-types-of-provider', 'sdk/src/bad.ts', '@ai-sdk/provider'],
    ['client', 'client/src/bad.ts', 'sdk/src/index.ts'],
    ['web', 'web/src/bad.tsx', 'server/src/core/bots/bot.ts'],
    ['web-takes-types-of-sdk', 'web/src/bad.tsx', 'sdk/src/index.ts'],
    ['main', 'server/src/main.ts', 'server/src/core/bots/bot.ts'],
    ['main', 'server/src/main.ts', 'server/src/administration.ts'],
    ['cli', 'server/src/cli/bad.ts', 'server/src/storage/store.ts'],
    ['cli', 'server/src/cli/bad.ts', 'server/src/core/bots/bot.ts'],
    ['administration', 'server/src/administration.ts', 'server/src/service.ts'],
    ['service', 'server/src/service.ts', 'server/src/cli/command.ts'],
    ['assembly', 'server/src/assembly/bad.ts', 'server/src/service.ts'],
    ['mcp', 'server/src/mcp/bad.ts', 'server/src/storage/store.ts'],
    ['peers', 'server/src/peers/bad.ts', 'server/src/storage/store.ts'],
    ['schema-host', 'server/src/schema-host/bad.ts', 'server/src/kit/fetch.ts'],
    ['http', 'server/src/http/bad.ts', 'server/src/storage/store.ts'],
    ['http', 'server/src/http/bad.ts', 'type:server/src/platforms/chat/index.ts'],
    ['http', 'server/src/http/bad.ts', 'server/src/config/config.ts'],
    ['storage', 'server/src/storage/bad.ts', 'server/src/http/server.ts'],
    ['core', 'server/src/core/bots/bad.ts', 'type:server/src/storage/store.ts'],
    ['core', 'server/src/core/bots/bad.ts', 'server/src/kit/fetch.ts'],
    ['core-without-io', 'server/src/core/bots/bad.ts', 'node:fs/promises'],
    ['core-without-io', 'server/src/core/bots/bad.ts', 'node:sqlite'],
    ['core-without-io', 'server/src/core/bots/bad.ts', 'child_process'],
    ['core-without-frameworks', 'server/src/core/bots/bad.ts', 'type:fastify'],
    ['core-without-frameworks', 'server/src/core/bots/bad.ts', 'kysely'],
    ['plugin-host', 'server/src/plugin-host/bad.ts', 'server/src/storage/store.ts'],
    ['plugin-toolkit', 'server/src/plugin-toolkit/bad.ts', 'server/src/storage/store.ts'],
    ['extension', 'server/src/platforms/chat/bad.ts', 'server/src/platforms/mail/index.ts'],
    ['extension', 'server/src/platforms/chat/bad.ts', 'type:server/src/runners/local/index.ts'],
    ['extension', 'server/src/runners/local/bad.ts', 'server/src/core/bots/bot.ts'],
    ['extension-list', 'server/src/runners/index.ts', 'server/src/platforms/chat/index.ts'],
    ['kit', 'server/src/kit/bad.ts', 'server/src/core/bots/bot.ts'],
    ['config', 'server/src/config/bad.ts', 'server/src/kit/fetch.ts'],
    ['lib', 'server/src/lib/bad.ts', 'type:sdk/src/index.ts'],
    ['no-tests-in-production', 'server/src/lib/bad.ts', 'server/test/factory.ts'],
    ['no-tests-in-production', 'server/src/platforms/mail/bad.ts', 'server/src/platforms/mail/testing/fake-mail.ts'],
    ['resolvable', 'server/src/lib/bad.ts', './nothing.ts'],
  ];
  return table.map(([rule, from, to], index) => ({
    rule,
    from,
    to,
    planted: from.replace('bad.', `bad-${index}.`),
    statement: importStatement(from, to),
  }));
}

/** What is found in a tree in which every rule is broken. */
function plantForbidden(): Promise<Violation[]> {
  const tree = { ...allowed };
  for (const { planted, statement } of forbidden()) tree[planted] = `${tree[planted] ?? ''}\n${statement}`;
  return plant(tree);
}

function imports(tree: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).map(([from, targets]) => [
      from,
      [...targets.map((to) => importStatement(from, to)), 'export {};'].join('\n'),
    ]),
  );
}

function importStatement(from: string, to: string): string {
  const target = to.replace('type:', '');
  const isOurs = /^(sdk|client|server|web)\//.test(target);
  const specifier = isOurs ? `${dirname(from).replace(/[^/]+/g, '..')}/${target}` : target;
  return to.startsWith('type:') ? `export type { x } from '${specifier}';` : `export { x } from '${specifier}';`;
}

/** Writes the files into a folder of their own, with stand-ins for packages, and reads their imports. */
async function plant(files: Record<string, string>): Promise<Violation[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-architecture-'));
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  try {
    for (const [path, content] of Object.entries(files)) write(path, content);
    for (const name of ['typebox', '@ai-sdk/provider', 'fastify', 'kysely', 'undici']) {
      write(`node_modules/${name}/package.json`, JSON.stringify({ name, type: 'module', main: 'index.js' }));
      write(`node_modules/${name}/index.js`, '');
    }
    return (
      await readArrows(
        folder,
        readdirSync(folder).filter((name) => name !== 'node_modules'),
      )
    ).violations;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
