import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Figures } from '../lib/benchmark.ts';
import { createProgram } from '../lib/program.ts';
import { withFolder, withService } from '../lib/service-process.ts';
import { median, percentile, round } from '../lib/statistics.ts';

const program = fileURLToPath(new URL('../../parley', import.meta.url));
const patienceMs = 30_000;

/** How long `parley plugin dev` takes from a change of a source file until the changed plugin is installed. */
export async function developFigures({ changes }: { changes: number }): Promise<Figures> {
  return withFolder((folder) =>
    withService(folder, async ({ address }) => {
      const { headers } = await createProgram(address);
      const project = join(folder, 'units');
      await promisify(execFile)(program, ['plugin', 'create', 'example/units', project]);
      const main = join(project, 'main.ts');
      const source = await readFile(main, 'utf8');
      const dev = spawn(program, ['plugin', 'dev', project, '--url', address], {
        env: { ...process.env, PARLEY_API_KEY: headers['x-api-key'] },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const ended = once(dev, 'close');
      try {
        const installed = installations(dev.stderr);
        await installed.next();
        const times: number[] = [];
        for (let change = 1; change <= changes; change += 1) {
          const begun = performance.now();
          await writeFile(main, `${source}\nconsole.log(${change});\n`);
          await installed.next();
          times.push(performance.now() - begun);
        }
        return { develop_p50_ms: round(median(times)), develop_p95_ms: round(percentile(times, 0.95)) };
      } finally {
        dev.kill('SIGINT');
        await ended;
      }
    }),
  );
}

/** Waits for the lines of the command that tell of an installation. */
function installations(output: NodeJS.ReadableStream) {
  let said = '';
  let seen = 0;
  let wake = () => {};
  output.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    wake();
  });
  return {
    /** @throws Error with what the command said when there is none in time */
    next: async (): Promise<void> => {
      const late = AbortSignal.timeout(patienceMs);
      late.addEventListener('abort', () => wake());
      while ((said.match(/ is installed \(/g)?.length ?? 0) <= seen) {
        if (late.aborted) throw new Error(`plugin dev did not install the plugin: ${said}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      seen += 1;
    },
  };
}
