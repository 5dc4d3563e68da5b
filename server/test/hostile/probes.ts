/** One of the walls around a plugin: what Node.js refuses, and what the kernel does. */
export type Wall = 'node' | 'kernel';

/** What a plugin tries. */
export interface Probe {
  /** What it tries to reach. */
  name: string;
  /** The walls that stop it, each by itself. */
  stoppedBy: readonly Wall[];
  /**
   * Body of an asynchronous function of `to`, the {@link ProbeTargets}. A value that is true says that it got through, an
   * error that it was refused.
   */
  body: string;
}

/** What the probes try to reach, all of it of the test. */
export interface ProbeTargets {
  /** An SQLite database. */
  database: string;
  /** A file with a secret. */
  key: string;
  /** An existing folder. */
  folder: string;
  /** A native module. */
  addon: string;
  /** A folder of the plugin. */
  own: string;
  /** The process of the service. */
  pid: number;
  /** Ports on 127.0.0.1. */
  tcp: number;
  udp: number;
  /** Unix sockets that somebody listens on. */
  socket: string;
  abstractSocket: string;
  /** A Node.js. */
  node: string;
}

const both = ['node', 'kernel'] as const;
const node = ['node'] as const;
const isRoot = process.getuid?.() === 0;

const connected = (options: string) =>
  `const net = await import('node:net');
   return await new Promise((resolve, reject) => net.connect(${options}, () => resolve(true)).on('error', reject));`;
const listening = (options: string) =>
  `const net = await import('node:net');
   return await new Promise((resolve, reject) =>
     net.createServer().on('error', reject).listen(${options}, () => resolve(true)));`;

/** In the order of what they reach. The guide for plugins lists what one wall alone lets through. */
export const probes: readonly Probe[] = [
  // Files.
  {
    name: 'read a database through node:sqlite',
    stoppedBy: both,
    body: `const { DatabaseSync } = await import('node:sqlite');
           return new DatabaseSync(to.database).prepare('select text from secrets').get().text;`,
  },
  {
    name: 'read a database through getBuiltinModule',
    stoppedBy: both,
    body: `const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
           return new DatabaseSync(to.database).prepare('select text from secrets').get().text;`,
  },
  {
    name: 'create a database',
    stoppedBy: both,
    body: `const { DatabaseSync } = await import('node:sqlite');
           new DatabaseSync(to.own + '/new.db').exec('create table t (a)');
           return true;`,
  },
  {
    name: 'read the key file',
    stoppedBy: both,
    body: `return (await import('node:fs')).readFileSync(to.key, 'utf8');`,
  },
  {
    name: 'read the key file through getBuiltinModule',
    stoppedBy: both,
    body: `return process.getBuiltinModule('fs').readFileSync(to.key, 'utf8');`,
  },
  { name: 'import the key file', stoppedBy: both, body: `return await import(to.key, { with: { type: 'json' } });` },
  {
    name: 'load the key file as variables',
    stoppedBy: both,
    body: 'process.loadEnvFile(to.key); return true;',
  },
  {
    name: 'read the key file through a link',
    stoppedBy: both,
    body: `const fs = await import('node:fs');
           fs.symlinkSync(to.key, to.own + '/link');
           return fs.readFileSync(to.own + '/link', 'utf8');`,
  },
  { name: 'list a folder', stoppedBy: both, body: `return (await import('node:fs')).readdirSync(to.folder);` },
  {
    name: 'learn whether a file exists',
    stoppedBy: node,
    body: `return (await import('node:fs')).existsSync(to.key);`,
  },
  {
    name: 'write a file',
    stoppedBy: both,
    body: `(await import('node:fs')).writeFileSync(to.own + '/new', ''); return true;`,
  },
  {
    name: 'write a heap snapshot',
    stoppedBy: both,
    body: `return (await import('node:v8')).writeHeapSnapshot(to.own + '/heap');`,
  },
  {
    name: 'read the environment of the service',
    stoppedBy: both,
    body: `return (await import('node:fs')).readFileSync('/proc/' + to.pid + '/environ', 'utf8');`,
  },
  {
    name: 'read the memory of the service',
    stoppedBy: both,
    body: `return (await import('node:fs')).openSync('/proc/' + to.pid + '/mem', 'r');`,
  },
  // Network.
  { name: 'connect by TCP', stoppedBy: both, body: connected(`to.tcp, '127.0.0.1'`) },
  {
    name: 'connect by TCP through the class of standard error',
    stoppedBy: both,
    body: `return await new Promise((resolve, reject) =>
             new process.stderr.constructor().on('error', reject).connect(to.tcp, '127.0.0.1', () => resolve(true)));`,
  },
  { name: 'listen by TCP', stoppedBy: both, body: listening(`0, '127.0.0.1'`) },
  {
    name: 'send a request by fetch',
    stoppedBy: both,
    body: `return (await fetch('http://127.0.0.1:' + to.tcp)).status;`,
  },
  {
    name: 'open a WebSocket',
    stoppedBy: both,
    body: `return await new Promise((resolve, reject) => {
             const socket = new WebSocket('ws://127.0.0.1:' + to.tcp);
             socket.onopen = resolve;
             socket.onerror = () => reject(new Error('not connected'));
           });`,
  },
  {
    name: 'send by UDP',
    stoppedBy: node,
    body: `const dgram = await import('node:dgram');
           return await new Promise((resolve, reject) => {
             const socket = dgram.createSocket('udp4').on('error', reject);
             socket.send('x', to.udp, '127.0.0.1', (error) => (error ? reject(error) : resolve(true)));
           });`,
  },
  {
    name: 'send a DNS query',
    stoppedBy: node,
    body: `const { Resolver } = (await import('node:dns')).promises;
           const resolver = new Resolver();
           resolver.setServers(['127.0.0.1:' + to.udp]);
           return await resolver.resolve4('parley.example').catch(({ code }) => code === 'ENOTFOUND' || Promise.reject(code));`,
  },
  { name: 'connect to a Unix socket', stoppedBy: node, body: connected('to.socket') },
  { name: 'connect to an abstract Unix socket', stoppedBy: both, body: connected('to.abstractSocket') },
  { name: 'listen on a Unix socket', stoppedBy: both, body: listening(`to.own + '/listen'`) },
  // Programs.
  {
    name: 'run a program',
    stoppedBy: both,
    body: `const { error, status } = (await import('node:child_process')).spawnSync('/bin/sh', ['-c', 'true']);
           if (error) throw error;
           return status === 0;`,
  },
  {
    name: 'run Node.js, as isolated as the plugin is',
    stoppedBy: node,
    body: `const { error, status } = (await import('node:child_process')).spawnSync(to.node, ['-e', '1']);
           if (error) throw error;
           return status === 0;`,
  },
  { name: 'become another program', stoppedBy: both, body: `process.execve('/bin/sh', ['sh', '-c', 'exit 0']);` },
  {
    name: 'start a worker thread',
    stoppedBy: node,
    body: `const { Worker } = await import('node:worker_threads');
           return await new Promise((resolve, reject) =>
             new Worker('', { eval: true }).on('online', () => resolve(true)).on('error', reject));`,
  },
  {
    name: 'load a native module',
    stoppedBy: both,
    body: 'process.dlopen({ exports: {} }, to.addon); return true;',
  },
  {
    name: 'call the C library through node:ffi',
    stoppedBy: node,
    body: `return new (await import('node:ffi')).DynamicLibrary(null);`,
  },
  {
    name: 'use WASI',
    stoppedBy: node,
    body: `return new (await import('node:wasi')).WASI({ version: 'preview1', preopens: { '/': to.own } });`,
  },
  {
    name: 'debug itself',
    stoppedBy: node,
    body: `new (await import('node:inspector')).Session().connect(); return true;`,
  },
  { name: 'use internals through process.binding', stoppedBy: node, body: `return process.binding('fs');` },
  { name: 'use the module loader', stoppedBy: node, body: `return (await import('node:module')).registerHooks({});` },
  { name: 'load a CommonJS module', stoppedBy: node, body: `return (await import('./loader.cjs')).default;` },
  {
    name: 'run text in a context of its own',
    stoppedBy: node,
    body: `return (await import('node:vm')).runInNewContext('1');`,
  },
  // Processes.
  { name: 'signal the service', stoppedBy: both, body: 'return process.kill(to.pid, 0);' },
  {
    name: 'open the inspector of the service',
    stoppedBy: both,
    body: 'process._debugProcess(to.pid); return true;',
  },
  {
    name: 'change the priority of the service',
    // The kernel refuses it towards processes that have capabilities, such as those of root.
    stoppedBy: isRoot ? both : node,
    body: `(await import('node:os')).setPriority(to.pid, 0); return true;`,
  },
  { name: 'become another user', stoppedBy: both, body: 'process.setuid(65534); return true;' },
  {
    name: 'learn names of the host and its networks',
    stoppedBy: node,
    body: `return (await import('node:os')).hostname();`,
  },
];
