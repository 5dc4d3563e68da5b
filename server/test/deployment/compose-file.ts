import { parse } from 'yaml';

/** When a service starts. */
type Condition = 'service_started' | 'service_healthy';

export interface HealthCheck {
  /** Program and arguments. */
  command: string[];
  /** Between two checks, milliseconds. */
  interval: number;
  timeout: number;
  /** So many checks in a row have to fail; those of the start period do not count. */
  retries: number;
  startPeriod: number;
}

/** One service of a Compose file. */
export interface ComposeService {
  image: string;
  /** Path of its Dockerfile from the context; null when it is not built. */
  dockerfile: string | null;
  environment: Record<string, string>;
  /** Folders and files of the container by what is mounted there: the name of a volume, or a path. */
  mounts: Record<string, string>;
  dependsOn: Record<string, Condition>;
  health: HealthCheck;
  /** How long it may take to end after SIGTERM, milliseconds. */
  stopGracePeriod: number;
  /** As they are written, `127.0.0.1:8080:8080`. */
  ports: string[];
}

/** As the file writes it; only what ours uses. */
interface WrittenService {
  image: string;
  build?: { context: string; dockerfile: string };
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: string[] | Record<string, { condition: Condition }>;
  healthcheck: { test: string[]; interval: string; timeout: string; retries: number; start_period: string };
  stop_grace_period?: string;
  ports?: string[];
}

/** Compose ends a service after so long if the file does not say otherwise. */
const defaultGracePeriod = '10s';

/**
 * Reads a Compose file as Compose does.
 * @param variables of the environment, and of `.env`
 * @throws Error when a variable is missing that the file requires
 */
export function readCompose(text: string, variables: Readonly<Record<string, string>>): Map<string, ComposeService> {
  const { services } = parse(text, { merge: true }) as { services: Record<string, WrittenService> };
  return new Map(
    Object.entries(interpolated(services, variables)).map(([name, service]) => [name, composeService(service)]),
  );
}

function composeService(written: WrittenService): ComposeService {
  const { image, build, environment = {}, volumes = [], depends_on = {}, healthcheck, ports = [] } = written;
  const [kind, ...command] = healthcheck.test;
  if (kind !== 'CMD') throw new Error(`Only health checks of the form CMD are read, not ${kind}`);
  const mounts = volumes.map((volume) => {
    const [from = '', to = ''] = volume.split(':');
    return [to, from] as const;
  });
  const dependsOn = Array.isArray(depends_on)
    ? depends_on.map((name) => [name, 'service_started'] as const)
    : Object.entries(depends_on).map(([name, { condition }]) => [name, condition] as const);
  return {
    image,
    dockerfile: build?.dockerfile ?? null,
    environment,
    mounts: Object.fromEntries(mounts),
    dependsOn: Object.fromEntries(dependsOn),
    health: {
      command,
      interval: duration(healthcheck.interval),
      timeout: duration(healthcheck.timeout),
      retries: healthcheck.retries,
      startPeriod: duration(healthcheck.start_period),
    },
    stopGracePeriod: duration(written.stop_grace_period ?? defaultGracePeriod),
    ports,
  };
}

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}` in every text. */
function interpolated<Value>(value: Value, variables: Readonly<Record<string, string>>): Value {
  const replaced = JSON.stringify(value).replace(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string | undefined, rest = '') => {
      const set = variables[name];
      if (set !== undefined && set !== '') return JSON.stringify(set).slice(1, -1);
      if (kind === '?') throw new Error(rest);
      return rest;
    },
  );
  // The same value with other texts.
  return JSON.parse(replaced) as Value;
}

/** @param text `45s` or `1m` @returns milliseconds */
function duration(text: string): number {
  const [, count, unit] = /^(\d+)(s|m)$/.exec(text) ?? [];
  if (count === undefined) throw new Error(`Not a duration: ${text}`);
  return Number(count) * (unit === 'm' ? 60_000 : 1000);
}
