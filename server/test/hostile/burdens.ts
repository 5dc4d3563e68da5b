import type { Reason } from '@parley/sdk';

/** What a plugin does that takes more than its share, or ends badly. */
export interface Burden {
  name: string;
  /** Body of its tool; the host is `host`. */
  body: string;
  /** Whether it is the body of a listener on `received` instead. */
  inListener?: true;
  /** Runs when its module is loaded. */
  atLoad?: string;
  /** The reason that the call fails with; null when it succeeds; `any` where it depends on the machine. */
  call: Reason | null | 'any';
  /** What the message of the error says. */
  message?: RegExp;
  /** What a line of the log says. */
  log?: RegExp;
  /** The reason of the failure of the process; null when it goes on; `any` where it depends on the machine. */
  process: Reason | null | 'any';
  /** Time of the call, milliseconds; default 30 s. */
  timeoutMs?: number;
}

const silent = { call: 'plugin_crashed', process: 'plugin_timeout', message: /did not respond for 5 s/ } as const;
const crashed = { call: 'plugin_crashed', process: 'plugin_crashed' } as const;
const writeToOutput = 'const output = new process.stderr.constructor({ fd: 1 });';

export const burdens: readonly Burden[] = [
  // Memory. Over its limit, Node.js may still be able to report the failed allocation, or end.
  {
    name: 'fills the heap',
    body: 'const all = []; for (;;) all.push({ more: String(Math.random()).repeat(20) });',
    ...crashed,
    message: /ended/,
  },
  {
    name: 'fills memory beside the heap',
    body: `const all = [];
           try { for (;;) all.push(Buffer.alloc(4 << 20, 1)); } catch { return String(all.length * 4); }`,
    call: null,
    process: null,
  },
  // Processor.
  { name: 'loops while it is loaded', atLoad: 'for (;;);', body: '', ...silent, call: 'plugin_timeout' },
  { name: 'loops in a tool', body: 'for (;;);', ...silent },
  { name: 'loops in a listener', body: 'for (;;);', inListener: true, ...silent },
  {
    name: 'loops with promises',
    body: 'for (;;) await null;',
    ...silent,
  },
  { name: 'evaluates a pattern for ever', body: `return String(/^(a+)+$/.test('a'.repeat(50) + 'b'));`, ...silent },
  // Ends.
  { name: 'exits', body: 'process.exit(3);', ...crashed, message: /code 3/ },
  { name: 'exits with a success', body: 'process.exit(0);', ...crashed, message: /code 0/ },
  { name: 'aborts', body: 'process.abort();', ...crashed, message: /SIGABRT|SIGTRAP|SIGILL/ },
  {
    name: 'rejects without a handler',
    body: `Promise.reject(new Error('not handled')); await new Promise((resolve) => setTimeout(resolve, 5000));`,
    ...crashed,
    message: /code 1/,
    log: /^Unhandled rejection: Error: not handled/,
  },
  {
    name: 'throws in a timer',
    body: `setTimeout(() => { throw new Error('thrown'); }); await new Promise((resolve) => setTimeout(resolve, 5000));`,
    ...crashed,
    message: /code 1/,
  },
  { name: 'exits while it is loaded', atLoad: 'process.exit(4);', body: '', ...crashed, message: /code 4/ },
  // Responses.
  {
    name: 'never responds',
    body: 'await new Promise(() => {});',
    call: 'plugin_timeout',
    process: null,
    timeoutMs: 1000,
  },
  {
    name: 'announces a frame of 1 GB',
    body: `${writeToOutput} output.write(Buffer.from([0x40, 0, 0, 0, 0, 0, 0, 0x40])); await new Promise(() => {});`,
    ...crashed,
  },
  {
    name: 'writes noise to standard output',
    body: `${writeToOutput} output.write('noise\\n'.repeat(1000)); await new Promise(() => {});`,
    ...crashed,
  },
  // Floods.
  {
    name: 'writes 100,000 lines with console',
    body: `for (let line = 0; line < 100_000; line += 1) console.log('line ' + line); return 'written';`,
    call: null,
    process: null,
  },
  {
    name: 'writes 100,000 lines to its log',
    body: `for (let line = 0; line < 100_000; line += 1) {
             host.log('info', 'line ' + line);
             if (line % 100 === 0) await new Promise(setImmediate);
           }
           return 'written';`,
    call: null,
    process: null,
  },
  {
    name: 'makes 100,000 calls of the host',
    body: `for (let call = 0; call < 100_000; call += 50) {
             await Promise.all(Array.from({ length: 50 }, () => host.settings()));
           }
           return 'made';`,
    call: null,
    process: null,
    timeoutMs: 60_000,
  },
  {
    name: 'makes 100,000 calls of the host at once',
    body: 'await Promise.allSettled(Array.from({ length: 100_000 }, () => host.settings()));',
    call: 'any',
    process: 'any',
    timeoutMs: 60_000,
  },
];
