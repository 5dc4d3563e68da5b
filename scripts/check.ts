import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/*
 * `npm run check`: everything that can be said about the sources without running them. The tools run at the same time,
 * since each keeps one core busy; what one of them found is printed when it ends.
 */

const commands = ['tsc', 'tsc -p web', 'biome ci', 'knip'];

const codes = await Promise.all(
  commands.map(async (command) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    if (code !== 0) process.stderr.write(`${stdout}${stderr}${command} ended with ${code}\n`);
    return code;
  }),
);
if (codes.some((code) => code !== 0)) process.exitCode = 1;
