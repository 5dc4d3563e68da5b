import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Balancer, type Target, targetHeader } from '../balancer.ts';

export function isNginxInstalled(): boolean {
  return spawnSync('nginx', ['-v']).error === undefined;
}

export interface NginxOptions {
  /** The configuration of the deployment. */
  configuration: string;
  /** Where it keeps temporary files. */
  folder: string;
  port: number;
  /** What replaces the addresses in the configuration. */
  localised(text: string): string;
}

/**
 * nginx with the configuration of the deployment. Addresses and folders are replaced, and the answer to a websocket names the
 * process that has it.
 */
export async function startNginx({ configuration, folder, port, localised }: NginxOptions): Promise<Balancer> {
  const file = join(folder, 'nginx.conf');
  const targets = new Map<number, Target>();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, `nginx-${name}`)};`)
    .join('\n');
  const write = () => {
    const processes = [...targets.values()].map(({ address, pid }) => `${new URL(address).host} ${pid};`).join('\n');
    const local = localised(configuration)
      .replace(/^\s*resolver .*$/m, '')
      .replace(/ resolve /g, ' ')
      .replace(/listen \d+/, `listen 127.0.0.1:${port}`)
      .replace('http {', `http {\n${temporary}\nmap $upstream_addr $target_process {\n${processes}\n}`)
      .replace('location / {', `location / {\nadd_header ${targetHeader} $target_process always;`);
    writeFileSync(file, local);
  };
  write();
  const output: string[] = [];
  const isRoot = process.getuid?.() === 0;
  const globals = `daemon off; pid ${join(folder, 'nginx.pid')};${isRoot ? ' user root;' : ''}`;
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr', '-g', globals], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => output.push(text));
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  await listening(child, port, output);
  const reload = () => {
    write();
    child.kill('SIGHUP');
  };
  return {
    address: `http://127.0.0.1:${port}`,
    add: (target) => {
      targets.set(target.pid, target);
      reload();
    },
    // A process that has the same address later is added in its place.
    remove: (pid) => void targets.delete(pid),
    targets: () => [...targets.keys()],
    isAsking: false,
    // Its log is of the level `warn` only.
    failures: [],
    close: async () => {
      process.off('exit', end);
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
    },
  };
}

async function listening(child: ChildProcess, port: number, output: readonly string[]): Promise<void> {
  for (;;) {
    const answers = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    );
    if (answers) return;
    if (child.exitCode !== null) throw new Error(`nginx ended: ${output.join('')}`);
    await delay(50);
  }
}
