import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { testSetupToken } from '../factories/test-setup-token.ts';
import { sharedResource } from '../shared/shared-resource.ts';

export interface ServiceWithConsole extends Pick<ServiceProcess, 'address' | 'output' | 'stop'> {
  dataDir: string;
  setUpLink: string;
  /** Stops it and starts it again, at the same address. */
  restart(): Promise<void>;
}

/**
 * Starts the service with the console as it is now, on a data folder of its own that ends with it.
 * @param basePath what stands in front of every path: `/parley`
 * @param setupToken empty for one of the start
 */
export async function startServiceWithConsole({
  basePath = '',
  setupToken = testSetupToken,
  environment = {} as Record<string, string>,
} = {}): Promise<ServiceWithConsole> {
  await sharedResource('console');
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-browser-test-'));
  const start = (port: string) =>
    startServiceProcess({
      dataDir,
      environment: {
        ...environment,
        PARLEY_PORT: port,
        PARLEY_SETUP_TOKEN: setupToken,
        ...(basePath === '' ? {} : { PARLEY_BASE_PATH: basePath }),
      },
    });
  let service = await start('0');
  const { address } = service;
  return {
    address,
    dataDir,
    setUpLink: /^Create the first account: (\S+)$/m.exec(service.output().stdout)?.[1] ?? '',
    output: () => service.output(),
    restart: async () => {
      await service.stop();
      service = await start(new URL(address).port);
    },
    stop: async () => {
      const end = await service.stop();
      rmSync(dataDir, { recursive: true, force: true });
      return end;
    },
  };
}
