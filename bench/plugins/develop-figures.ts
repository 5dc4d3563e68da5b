import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inTime } from '../../server/src/lib/waiting.ts';
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
        const lines = createInterface({ input: dev.stderr })[Symbol.asyncIterator]();
        await untilInstalled(lines);
        const times: number[] = [];
        for (let change = 1; change <= changes; change += 1) {
          const begun = performance.now();
          await writeFile(main, `${source}\nconsole.log(${change});\n`);
          await untilInstalled(lines);
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

/** Reads what the command prints until a line tells of an installation. @throws Error when there is none in time */
async function untilInstalled(lines: AsyncIterator<string>): Promise<void> {
  const find = async () => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error('plugin dev ended');
      if (value.includes(' is installed (')) return;
    }
  };
  await inTime(find(), patienceMs, () => {
    throw new Error('plugin dev did not install the plugin in time');
  });
}
