import { isLoopback } from '../lib/loopback.ts';
import { type Config, type ConfigField, environmentName } from './config.ts';

/** The settings that are good alone and must not be set together, a line for each. */
export function settingConflicts(config: Config): string[] {
  return [
    ...providerConflicts(config),
    ...setUpConflicts(config),
    ...fileConflicts(config),
    ...replicaConflicts(config),
  ];
}

function providerConflicts({ oidcIssuer, oidcClientId }: Config): string[] {
  if ((oidcIssuer === null) === (oidcClientId === null)) return [];
  return [`${environmentName('oidcIssuer')} and ${environmentName('oidcClientId')} must be set together`];
}

function setUpConflicts(config: Config): string[] {
  if (!config.setupWithoutToken) return [];
  const refuse = (field: ConfigField, isSo: boolean, what: string) =>
    isSo ? [`${environmentName('setupWithoutToken')} must not be true ${what} ${environmentName(field)}`] : [];
  return [
    ...refuse('host', !isLoopback(config.host), 'with another address than a loopback address in'),
    ...refuse('publicUrl', config.publicUrl !== null, 'together with'),
    ...refuse('trustedProxies', config.trustedProxies.length > 0, 'together with'),
  ];
}

function fileConflicts({ filesFolder, s3Bucket, s3Endpoint, s3AccessKeyId, s3SecretAccessKey }: Config): string[] {
  const bucket = environmentName('s3Bucket');
  const conflicts: string[] = [];
  if (filesFolder !== null && s3Bucket !== null) {
    conflicts.push(
      `${environmentName('filesFolder')} and ${bucket} must not be set together: files are in one of them`,
    );
  }
  if (s3Bucket === null) {
    // Without this, files would be stored in the data folder unnoticed.
    const others = { s3Endpoint, s3AccessKeyId, s3SecretAccessKey };
    const set = (Object.keys(others) as (keyof typeof others)[]).filter((field) => others[field] !== null);
    conflicts.push(...set.map((field) => `${environmentName(field)} must not be set without ${bucket}`));
  } else if ((s3AccessKeyId === null) !== (s3SecretAccessKey === null)) {
    const [id, secret] = [environmentName('s3AccessKeyId'), environmentName('s3SecretAccessKey')];
    conflicts.push(`${id} and ${secret} must be set together`);
  }
  return conflicts;
}

function replicaConflicts({ replicaAddress, databaseUrl }: Config): string[] {
  if (replicaAddress === null || databaseUrl !== null) return [];
  const [address, database] = [environmentName('replicaAddress'), environmentName('databaseUrl')];
  return [`${address} must not be set without ${database}: an SQLite database has one process`];
}
