import { type Config, sharedSettingDigests } from '../config/index.ts';
import type { PeerNotices } from '../core/replicas/peer-notices.ts';
import type { ReplicaList } from '../core/replicas/replica-view.ts';
import { connectionNeed } from '../storage/connection-budget.ts';
import { listReplicas, storeSettings } from '../storage/replicas/replica-list.ts';
import { deriveKey } from '../storage/secret-key.ts';
import type { Storage } from '../storage/storage.ts';
import type { SharedParts } from './parts.ts';

interface ReplicaParts {
  config: Config;
  secretKey: Buffer;
  peerNotices: Pick<PeerNotices, 'reaches'>;
  logger: SharedParts['logger'];
}

/** The replicas as this one sees them, and what it shows of itself to the others. */
export function createReplicaViews(storage: Storage, { config, secretKey, peerNotices, logger }: ReplicaParts) {
  const { database, replica, connections } = storage;
  const digests = sharedSettingDigests(config, deriveKey(secretKey, 'settings'));
  const showSettings = () => storeSettings(database, replica.id, digests);
  // It may have another row now.
  replica.onFree(() => {
    showSettings().catch((error: unknown) => logger.error({ error }, 'the settings of this replica are not shown'));
  });
  return {
    showSettings,
    replicaViews: {
      list: async (): Promise<ReplicaList> => {
        const [listed, ages] = [await listReplicas(storage, 0, replica.id), replica.beatAges];
        const living = listed.filter(({ state }) => state !== 'ended').length;
        return {
          replicas: listed.map(({ is_beating: _, ...view }) => ({
            ...view,
            is_self: view.id === replica.id,
            beat_age_ms: view.state === 'ended' ? null : wholeOrNull(ages.get(view.id)),
            is_reachable: view.id === replica.id ? null : peerNotices.reaches(view.id),
          })),
          connections: connections === null ? null : connectionNeed(connections, living),
        };
      },
    },
  };
}

function wholeOrNull(milliseconds: number | undefined): number | null {
  return milliseconds === undefined ? null : Math.round(milliseconds);
}
