import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { installationId } from '../core/installation/installation-id.ts';
import type { MetadataStore } from '../core/system/metadata-store.ts';
import { createHttpServer } from '../http/http-server.ts';
import type { RouteServices } from '../http/routes/route-services.ts';
import { SocketServer } from '../kit/sockets/socket-server.ts';
import { notOwnerError } from '../storage/ownership.ts';
import { storedVersions } from '../storage/records/stored-versions.ts';
import type { Storage } from '../storage/storage.ts';
import type { SharedParts } from './parts.ts';

/** What the service does now. */
export interface ServiceState {
  isStarting: boolean;
  isServing: boolean;
  /** Others took over what it did, and it has not read yet what they changed. */
  isReplaced: boolean;
  /** It is about to stop: requests are still answered, until load balancers choose another replica. */
  isDraining: boolean;
  isStopping: boolean;
  /** Where it listens, `http://127.0.0.1:5300`; null while it does not. */
  address: string | null;
}

interface HttpParts extends Pick<SharedParts, 'config' | 'logger'> {
  metadata: MetadataStore;
  /** The folder of the repository, with the console and the API description. */
  repository: string;
  state: Readonly<ServiceState>;
  /** Called before routes are registered. */
  beforeRoutes: ((server: FastifyInstance) => Promise<void>) | undefined;
  /** Aborted when clients that stay connected have to connect to another replica. */
  leaving: AbortSignal;
  services: Omit<
    RouteServices,
    'readVersions' | 'isServing' | 'isDraining' | 'checkStorage' | 'storageTrouble' | 'socketServer' | 'leaving'
  >;
}

/** The server of the API and the console. */
export async function createHttp(
  { database, health, replica }: Storage,
  { config, logger, metadata, repository, state, beforeRoutes, leaving, services }: HttpParts,
) {
  const consoleDirectory = join(repository, 'web', 'dist');
  return createHttpServer(
    {
      ...services,
      readVersions: storedVersions(database),
      socketServer: new SocketServer(),
      leaving,
      isServing: () => state.isServing && !state.isReplaced,
      isDraining: () => state.isDraining,
      checkStorage: async () =>
        (await health.check()) ?? (replica.mayWork && replica.isBeating ? null : notOwnerError()),
      storageTrouble: () => health.trouble,
    },
    {
      ...config,
      installationId: await installationId(metadata),
      consoleDirectory: existsSync(join(consoleDirectory, 'index.html')) ? consoleDirectory : null,
      openApiFile: join(repository, 'docs', 'openapi.json'),
      logger,
      isStopping: () => state.isStopping,
      isStarting: () => state.isStarting || state.isReplaced,
      ...(beforeRoutes === undefined ? {} : { beforeRoutes }),
    },
  );
}
