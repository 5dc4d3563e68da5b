import { createHmac } from 'node:crypto';
import { type Config, type ConfigField, configFields, fileKey } from './config.ts';

/** Settings that replicas on one database may have different values of. */
const ownOfReplica: ReadonlySet<ConfigField> = new Set([
  'host',
  'port',
  'dataDir',
  // Replicas may reach the database at different addresses.
  'databaseUrl',
  'databasePoolSize',
  'databaseNamedStatements',
  'replicaAddress',
  // The folder may be mounted at different places; its mark shows whether it is the same.
  'filesFolder',
  'newDatabase',
  // Compared with the key of the database at each start.
  'secretKey',
  'logLevel',
  'drainSeconds',
  'shutdownTimeoutSeconds',
  'pipelineConcurrency',
  'parserThreads',
  'withoutPlugins',
  'maxConnections',
  'maxOpenBodyMegabytes',
  'maxSockets',
  'maxSocketsPerCaller',
]);

/**
 * Digests of the settings that all replicas should share, by their keys in the file. Secrets among them tell nothing without
 * the key.
 */
export function sharedSettingDigests(config: Config, key: Buffer): Record<string, string> {
  const shared = configFields.filter((field) => !ownOfReplica.has(field));
  return Object.fromEntries(
    shared.map((field) => {
      const text = JSON.stringify([field, config[field]]);
      return [fileKey(field), createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)];
    }),
  );
}
