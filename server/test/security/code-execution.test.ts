import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { sourceFiles } from '../architecture/source-rules.ts';
import { startTestService } from '../factories/start-test-service.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs a text as a program, in whatever sandbox. */
const evaluates =
  /\beval\s*\(|\bnew\s+Function\b|(?<![.\w])Function\s*\(|['"](?:node:)?vm['"]|\b(?:setTimeout|setInterval)\s*\(\s*['"`]/;
/** Starts other programs. */
const startsPrograms = /['"](?:node:)?child_process['"]|['"](?:node:)?cluster['"]/;
const starters = new Set([
  // Servers of the Model Context Protocol, as the operator lists them.
  'server/src/kit/launcher/launch-process.ts',
  'server/src/mcp/stdio-transport.ts',
  // The compiler, and the tests of a project of a plugin, for its author at the command line.
  'server/src/plugin-toolkit/check-plugin.ts',
  // The command line itself, under the right Node.js.
  'server/bin/parley.js',
]);

function faultsOf(path: string, content: string): string[] {
  return [
    ...(evaluates.test(content) ? [`${path} evaluates text`] : []),
    ...(startsPrograms.test(content) && !starters.has(path) ? [`${path} starts programs`] : []),
  ];
}

describe('nothing that is written into the service is run', () => {
  it('no module evaluates text, and only those named here start programs', () => {
    const files = [...sourceFiles(root, ['sdk/src', 'client/src', 'server/src', 'server/bin', 'web/src'])].filter(
      ({ path }) => !/\.test\.tsx?$|\/testing\//.test(path),
    );
    expect(files.length).toBeGreaterThan(700);
    expect(files.flatMap(({ path, content }) => faultsOf(path, content))).toEqual([]);
  });

  it.each([
    'eval(text)',
    'new Function("return 1")',
    'Function(text)()',
    "import { runInNewContext } from 'node:vm';",
    "await import('vm')",
    "setTimeout('attack()', 1)",
    "import { spawn } from 'node:child_process';",
    "require('child_process')",
  ])('a module with %s would be found', (content) => {
    expect(faultsOf('server/src/core/tools/planted.ts', content)).toHaveLength(1);
  });

  it.each(['retrieval(text)', 'isFunction(text)', 'this.eval', 'setTimeout(() => {}, 1)'])('%s is none', (content) => {
    expect(faultsOf('server/src/core/tools/plain.ts', content)).toEqual([]);
  });
});

describe('a running service', async () => {
  const service = await startTestService({ listen: false });
  afterAll(() => service.stop());
  const bearer = service.account.token;

  it('has no route that runs what it is sent', async () => {
    for (const path of ['/debug/exec', '/exec', '/eval', '/config/apply', '/validate/code', '/run']) {
      for (const prefix of ['', '/api/v1', '/v1']) {
        for (const credential of [{}, { bearer }]) {
          const url = `${prefix}${path}`;
          const answer = await service.request({ method: 'POST', url, ...credential, json: { code: '1' } });
          expect([url, answer.status]).toEqual([
            url,
            expect.toSatisfy((status: number) => [404, 405].includes(status)),
          ]);
        }
      }
    }
  });

  it('starts nothing when a configuration that names commands is stored', async () => {
    const command = { command: process.execPath, args: ['-e', 'process.exit(1)'] };
    const pipeline = await service.request({
      method: 'POST',
      url: '/api/v1/pipelines',
      bearer,
      json: {
        name: 'Imported',
        config: { ai: { runner: { runner: 'local-agent' }, mcp: command, script: '{{1+1}}' } },
      },
    });
    expect([200, 400]).toContain(pipeline.status);
    const server = await service.request({
      method: 'POST',
      url: '/api/v1/mcp/servers',
      bearer,
      json: { name: 'imported', enable: true, mode: 'stdio', extra_args: command },
    });
    expect([server.status, server.body.reason]).toEqual([403, 'mcp_command_not_allowed']);
  });
});
