import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

// A program of the benchmarks that runs in a process of its own, and whose functions are called over the channel between
// the two. Values are JSON.

interface CallMessage {
  call: number;
  name: string;
  parameters: unknown[];
}
interface ResultMessage {
  call: number;
  result?: unknown;
  error?: string;
}

/** Functions that a program offers. */
// biome-ignore lint/suspicious/noExplicitAny: parameters of any function are assignable to these alone
export type Functions = Record<string, (...parameters: any[]) => unknown>;

/** The same functions as their caller sees them. */
export type Remote<Offered extends Functions> = {
  [Name in keyof Offered]: (...parameters: Parameters<Offered[Name]>) => Promise<Awaited<ReturnType<Offered[Name]>>>;
};

export interface ChildProgram<Offered extends Functions> {
  pid: number;
  /** Calls a function. Rejects with what it throws, and when the program ended. */
  call: Remote<Offered>;
  /** Ends the program and waits for that. */
  close(): Promise<void>;
}

/** Offers functions to the process that started this one, and ends with it. */
export function serveFunctions(functions: Functions): void {
  process.once('disconnect', () => process.exit(0));
  process.on('message', (message) => {
    const { call, name, parameters } = message as CallMessage;
    Promise.resolve()
      .then(() => functions[name]?.(...parameters))
      .then(
        (result) => process.send?.({ call, result } satisfies ResultMessage),
        (error: unknown) => process.send?.({ call, error: String(error) } satisfies ResultMessage),
      );
  });
  process.send?.({ call: -1 } satisfies ResultMessage);
}

/** Starts a program that calls {@link serveFunctions}, and waits until it does. */
export async function startChildProgram<Offered extends Functions>(file: URL): Promise<ChildProgram<Offered>> {
  const child = fork(file, { serialization: 'json' });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const exit = once(child, 'exit').finally(() => process.off('exit', end));
  const open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const ready = Promise.withResolvers<unknown>();
  open.set(-1, ready);
  child.on('message', (message) => {
    const { call, result, error } = message as ResultMessage;
    const caller = open.get(call);
    open.delete(call);
    if (error === undefined) caller?.resolve(result);
    else caller?.reject(new Error(error));
  });
  void exit.then(() => {
    for (const { reject } of open.values()) reject(new Error(`${file.pathname} ended`));
  });
  await ready.promise;
  return {
    // It has answered, so it was started.
    pid: child.pid as number,
    call: remoteOf<Offered>(child, open),
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) child.disconnect();
      await exit;
    },
  };
}

function remoteOf<Offered extends Functions>(
  child: ChildProcess,
  open: Map<number, { resolve(value: unknown): void; reject(error: Error): void }>,
): Remote<Offered> {
  let calls = 0;
  const call = (name: string, parameters: unknown[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    calls += 1;
    const number = calls;
    open.set(number, { resolve, reject });
    child.send({ call: number, name, parameters } satisfies CallMessage, (error) => {
      if (error !== null) reject(error);
    });
    return promise;
  };
  return new Proxy({} as Remote<Offered>, {
    get: (_, name) => (name === 'then' ? undefined : (...parameters: unknown[]) => call(String(name), parameters)),
  });
}
