import { join } from 'node:path';
import { type Config, environmentName } from '../config/index.ts';
import { FileService } from '../core/files/file-service.ts';
import type { BlobStore } from '../core/files/file-store.ts';
import { checkStoreMark, type MarkedStore } from '../core/files/store-mark.ts';
import type { Chore } from '../core/housekeeping/housekeeping.ts';
import { installationId } from '../core/installation/installation-id.ts';
import type { MetadataStore } from '../core/system/metadata-store.ts';
import { DiskBlobStore } from '../storage/files/disk-blob-store.ts';
import { DiskImageCache } from '../storage/files/disk-image-cache.ts';
import { KyselyFileStore } from '../storage/files/kysely-file-store.ts';
import { S3BlobStore } from '../storage/files/s3-blob-store.ts';
import { livingReplicas } from '../storage/replicas/replica-rows.ts';
import type { Storage } from '../storage/storage.ts';

/** How long images of pages are kept, milliseconds. */
const pageImageLifetime = 30 * 24 * 3_600_000;
/** Some of the latest files may have been lost or be on their way out; not all of them. */
const recordedFiles = 10;

/**
 * Uploaded files and what is derived from them.
 * @throws Error with a message for the operator when the store does not hold the files of this installation
 */
export async function createFiles(storage: Storage, { config, metadata }: { config: Config; metadata: MetadataStore }) {
  const store = new KyselyFileStore(storage.database);
  const { blobs, chores } = await openBlobs(storage, config);
  await checkStoreMark(blobs, {
    installation: await installationId(metadata),
    recorded: await store.latest(recordedFiles),
    isOwn: storage.engine === 'sqlite' && config.s3Bucket === null && config.filesFolder === null,
    setting: environmentName(config.s3Bucket === null ? 'filesFolder' : 's3Bucket'),
  });
  const pageCache = new DiskImageCache(join(config.dataDir, 'cache', 'pages'), { lifetimeMs: pageImageLifetime });
  const files = new FileService(store, blobs, {
    ...config,
    deleting: ({ sha256 }) => pageCache.removeAll(sha256),
  });
  return { files, blobs, pageCache, chores };
}

interface OpenBlobs {
  blobs: BlobStore & MarkedStore;
  chores: Readonly<Record<string, Chore>>;
}

async function openBlobs(storage: Storage, config: Config): Promise<OpenBlobs> {
  if (config.s3Bucket === null) {
    const folder = config.filesFolder ?? join(config.dataDir, 'files');
    const living = () => livingReplicas(storage.database);
    return { blobs: await DiskBlobStore.open(folder, { claimant: storage.replica, living }), chores: {} };
  }
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  const blobs = new S3BlobStore({
    name: config.s3Bucket,
    endpoint: config.s3Endpoint,
    region: config.s3Region,
    credentials: accessKeyId === null || secretAccessKey === null ? null : { accessKeyId, secretAccessKey },
    prefix: config.s3Prefix,
    pathStyle: config.s3PathStyle,
  });
  storage.onClose(() => blobs.close());
  return { blobs, chores: { 'uploads that were left in the bucket': (limit) => blobs.abortAbandoned(limit) } };
}
