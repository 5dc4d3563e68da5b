import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceProcess, startServiceProcess } from '../factories/start-service-process.ts';
import { testSetupToken } from '../factories/test-setup-token.ts';
import { sharedResource } from '../shared/shared-resource.ts';

/**
 * Starts the service with the console as it is now, on a data folder of its own that ends with it.
 * @param basePath what stands in front of every path: `/parley`
 * @param setupToken empty for one of the start
 */
export async function startServiceWithConsole({
  basePath = '',
  setupToken = testSetupToken,
  environment = {} as Record<string, string>,
} = {}): Promise<Pick<ServiceProcess, 'address' | 'output' | 'stop'> & { dataDir: string; setUpLink: string }> {
  await sharedResource('console');
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-browser-test-'));
  const service = await startServiceProcess({
    dataDir,
    environment: {
      ...environment,
      PARLEY_SETUP_TOKEN: setupToken,
      ...(basePath === '' ? {} : { PARLEY_BASE_PATH: basePath }),
    },
  });
  return {
    address: service.address,
    dataDir,
    setUpLink: /^Create the first account: (\S+)$/m.exec(service.output().stdout)?.[1] ?? '',
    output: service.output,
    stop: async () => {
      const end = await service.stop();
      rmSync(dataDir, { recursive: true, force: true });
      return end;
    },
  };
}
