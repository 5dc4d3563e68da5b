import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../test/shared/free-port.ts';
import type { McpTarget } from '../../core/mcp/mcp-server.ts';

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

/** How to start the server of the protocol's makers that has something of everything. */
export const everything: Extract<McpTarget, { mode: 'stdio' }> = {
  mode: 'stdio',
  command: process.execPath,
  args: [program, 'stdio'],
  env: {},
};

export interface EverythingServer {
  port: number;
  url: string;
  /** Ends it immediately, and every connection with it. */
  kill(): Promise<void>;
}

/** Starts it on a port, over HTTP. @param port a free one when omitted */
export async function startEverything(mode: 'sse' | 'http', port?: number): Promise<EverythingServer> {
  const chosen = port ?? (await freePort());
  const child = spawn(process.execPath, [program, mode === 'sse' ? 'sse' : 'streamableHttp'], {
    env: { PORT: String(chosen) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await untilListening(child);
  return {
    port: chosen,
    url: `http://127.0.0.1:${chosen}/${mode === 'sse' ? 'sse' : 'mcp'}`,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Drains its output: a server with a full pipe would end. */
function untilListening(child: ChildProcess): Promise<void> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2000);
      if (/running on|listening on/i.test(said)) resolve();
    });
    child.once('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
}
