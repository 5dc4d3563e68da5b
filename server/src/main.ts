import { ConfigError, loadConfig } from './config/index.ts';
import { createService } from './service.ts';

/** Who started us; read at once, before they can be gone. */
const parent = process.ppid;

/** Starts the service, says where it is, and stops it when asked to. Ends the process when it cannot start. */
export async function main(): Promise<void> {
  try {
    await start();
  } catch (error) {
    fail(error);
  }
}

async function start(): Promise<void> {
  const config = loadConfig({ environment: process.env, workingDirectory: process.cwd() });
  const service = await createService(config);
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(stop);
  const address = await service.start();
  console.log(`Parley is ready at ${config.publicUrl ?? `${address}${config.basePath}`}`);
  const setupToken = await service.setupToken();
  if (setupToken !== null) console.log(`Set-up token, to make the first account from another machine: ${setupToken}`);
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

function fail(error: unknown): never {
  const lines = error instanceof ConfigError ? error.lines : [error instanceof Error ? error.message : String(error)];
  for (const line of lines) console.error(line);
  process.exit(1);
}
