import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../server/src/config/index.ts';
import { createService, type Extensions, type Service } from '../server/src/service.ts';

/** Creates the service in a temporary folder, without listening; returns the result of `look` and removes the folder. */
export async function inspectService<Result>(
  look: (service: Service) => Result | Promise<Result>,
  extensions: Extensions = {},
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-inspected-'));
  const environment = { PARLEY_DATA_DIR: directory, PARLEY_LOG_LEVEL: 'silent' };
  try {
    const service = await createService(loadConfig({ environment, workingDirectory: directory }), extensions);
    try {
      return await look(service);
    } finally {
      await service.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
