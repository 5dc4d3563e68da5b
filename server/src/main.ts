import { ConfigError, loadConfigWithSources } from './config/index.ts';
import { createService } from './service.ts';

/** The parent process; read immediately, before it can end. */
const parent = process.ppid;

/** Stop timeout of a service after a fatal error, milliseconds. */
const longestFailedStop = 8000;

/** Report of a start. */
export interface StartReport {
  /** Before `ready`, if the schema of the database changed. @param count applied migrations */
  migrated?(count: number): void;
  /** @param setup_link null when there is an account */
  ready(service: { address: string; setup_token: string | null; setup_link: string | null }): void;
  failed(error: unknown): void;
}

/** Options of one start, as the settings of these names. */
export interface StartOptions {
  newDatabase?: boolean;
  withoutPlugins?: boolean;
}

/** Starts the service, logs its address, and stops it on request. Ends the process when it cannot start. */
export async function main(report: StartReport = inWords, options: StartOptions = {}): Promise<void> {
  const fail = (error: unknown) => {
    report.failed(error);
    process.exit(1);
  };
  try {
    await start(report, options, fail);
  } catch (error) {
    fail(error);
  }
}

async function start(
  report: StartReport,
  { newDatabase = false, withoutPlugins = false }: StartOptions,
  fail: (error: unknown) => void,
): Promise<void> {
  const { config, sources } = loadConfigWithSources({ environment: process.env, workingDirectory: process.cwd() });
  const service = await createService(
    {
      ...config,
      newDatabase: newDatabase || config.newDatabase,
      withoutPlugins: withoutPlugins || config.withoutPlugins,
    },
    {},
    sources,
  );
  if (service.migrated.length > 0) report.migrated?.(service.migrated.length);
  let stopping = false;
  const stop = () => {
    // Asked for again, it does not wait for load balancers.
    if (stopping) return void service.stop({ isUrgent: true });
    stopping = true;
    service.stop().then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  void service.failure.then((error) => {
    report.failed(error);
    // What does not end by itself must not keep a process alive that cannot store anything.
    setTimeout(() => process.exit(1), longestFailedStop).unref();
    void service.stop({ isUrgent: true }).then(
      () => process.exit(1),
      () => process.exit(1),
    );
  });
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(() => void (stopping || stop()));
  const address = await service.start().catch((error: unknown) => {
    // It waited until it may work, and the stop ends the process.
    if (stopping) return null;
    throw error;
  });
  if (address === null) return;
  const setUp = service.setUp();
  report.ready({
    address: config.publicUrl ?? `${address}${config.basePath}`,
    setup_token: setUp?.token ?? null,
    setup_link: setUp?.link ?? null,
  });
}

/** npm passes a signal on to the shell between itself and us, and the shell ends without passing it on to us. */
function whenOrphaned(stop: () => void): void {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 250);
  watch.unref();
}

const inWords: StartReport = {
  migrated: (count) => console.log(`Database prepared, ${count} migrations applied`),
  ready: ({ address, setup_link }) => {
    const lines = [`Parley is ready at ${address}`];
    if (setup_link !== null) lines.push(`Create the first account: ${setup_link}`);
    // In one write: readers of the first line have the second as well.
    console.log(lines.join('\n'));
  },
  failed: (error) => {
    const lines = error instanceof ConfigError ? error.lines : [error instanceof Error ? error.message : String(error)];
    for (const line of lines) console.error(line);
  },
};
