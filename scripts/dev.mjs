// Runs the server, restarted when its sources change, and Vite for the console. When one ends, both end.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url));

const children = [
  spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/start.js'], {
    cwd: root,
    stdio: 'inherit',
  }),
  spawn(process.execPath, [vite], { cwd: `${root}web`, stdio: 'inherit' }),
];

function end() {
  for (const child of children) child.kill('SIGTERM');
}

process.on('SIGINT', end);
process.on('SIGTERM', end);
for (const child of children) {
  child.on('exit', (code) => {
    process.exitCode ||= code ?? 0;
    end();
  });
}
