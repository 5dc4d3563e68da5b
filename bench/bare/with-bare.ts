import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFile } from '../../server/src/storage/storage.ts';
import type { EchoModel } from '../fakes/echo-model.ts';
import { startLineMessenger } from '../fakes/line-messenger.ts';
import type { Messenger } from '../fakes/messenger.ts';
import { launchServer, type ServerProcess } from '../lib/server-process.ts';
import { withFolder } from '../lib/service-process.ts';

/**
 * Starts the bare program on a copy of a database of the service, with a messenger of its own.
 * @param dataDir of a service that answered messages and was stopped
 */
export async function withBare<Result>(
  dataDir: string,
  model: EchoModel,
  use: (program: ServerProcess, messenger: Messenger) => Promise<Result>,
): Promise<Result> {
  return await withFolder(async (folder) => {
    const file = join(folder, 'bare.db');
    await copyFile(databaseFile({ dataDir }), file);
    const messenger = await startLineMessenger({ honoursTokens: true });
    try {
      const script = ['bench/bare/bare-program.ts', file, String(messenger.adapterConfig.port), model.baseUrl];
      const launched = launchServer(script, {}, { channel: true });
      try {
        return await use({ ...launched, address: await launched.ready }, messenger);
      } finally {
        await launched.stop();
      }
    } finally {
      await messenger.close();
    }
  });
}
