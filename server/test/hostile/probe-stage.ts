import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { type ProbeTargets, probes } from './probes.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What the probes try to reach: a data folder, and servers on 127.0.0.1 and on Unix sockets. */
export interface ProbeStage {
  targets: Omit<ProbeTargets, 'own'>;
  /** What reached it over a network: `tcp`, `udp` or `socket`. */
  contacts: string[];
  close(): Promise<void>;
}

export async function setProbeStage(): Promise<ProbeStage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-hostile-')));
  const database = join(folder, 'parley.db');
  const opened = new DatabaseSync(database);
  opened.exec(`create table secrets (text); insert into secrets values ('a secret')`);
  opened.close();
  const key = join(folder, 'key.json');
  await writeFile(key, '{"key": "a secret"}');
  const [addon = ''] = globSync('node_modules/@napi-rs/canvas-*/*.node', { cwd: root }).map((path) => join(root, path));
  // Whoever gets through may harm it.
  const victim = spawn(process.execPath, ['--inspect-port=0', '-e', 'setInterval(() => {}, 60_000)'], {
    env: { SECRET: 'a secret' },
    stdio: 'ignore',
  });

  const contacts: string[] = [];
  const tcp = createServer((_, response) => response.end()).on('connection', () => contacts.push('tcp'));
  const sockets = new WebSocketServer({ server: tcp });
  await once(tcp.listen(0, '127.0.0.1'), 'listening');
  const udp = createSocket('udp4').on('message', (query, { port }) => {
    contacts.push('udp');
    // As a DNS server that knows no such name: the query with other flags.
    if (query.length > 4)
      udp.send(Buffer.concat([query.subarray(0, 2), Buffer.of(0x81, 0x83), query.subarray(4)]), port);
  });
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  const socket = join(folder, 'socket');
  const abstractSocket = `\0parley-hostile-${process.pid}-${Date.now()}`;
  const unix = await Promise.all(
    [socket, abstractSocket].map(async (path) => {
      const server = createTcpServer((connection) => connection.destroy()).on('connection', () =>
        contacts.push('socket'),
      );
      await once(server.listen(path), 'listening');
      return server;
    }),
  );
  return {
    targets: {
      database,
      key,
      folder,
      addon,
      // It was started.
      pid: victim.pid as number,
      // A server that listens on a port has such an address.
      tcp: (tcp.address() as AddressInfo).port,
      udp: udp.address().port,
      socket,
      abstractSocket,
      node: process.execPath,
    },
    contacts,
    async close() {
      victim.kill('SIGKILL');
      tcp.closeAllConnections();
      tcp.close();
      udp.close();
      for (const server of unix) server.close();
      for (const client of sockets.clients) client.terminate();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A plugin whose tool `act` runs the probe that `name` names, towards `to`, and tells what became of it. */
export const probingPlugin = {
  main: `const probes = {
    ${probes.map(({ name, body }) => `${JSON.stringify(name)}: async (to) => { ${body} }`).join(',\n')}
  };
  export default {
    tools: {
      async act({ name, to }) {
        try {
          return (await probes[name](to)) ? 'got through' : 'refused: nothing came of it';
        } catch (error) {
          return 'refused: ' + (error?.code ?? error);
        }
      },
    },
    listeners: { received() {} },
  };`,
  files: { 'loader.cjs': 'module.exports = typeof module.constructor._load;' },
};
