import { I18nText } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { now } from '../../lib/clock.ts';
import { nullable } from '../../lib/schema-parts.ts';
import { ConfiguredExtension } from './configured-extension.ts';
import { type StorageMeter, StorageSize } from './storage-meter.ts';

export const EffectiveSetting = Type.Object(
  {
    name: Type.String({ description: 'Its key in `parley.yaml`.' }),
    environment_variable: Type.String(),
    label: I18nText,
    description: I18nText,
    unit: nullable(
      Type.Enum(['seconds', 'hours', 'days', 'megabytes']),
      'Of a number; null for counts and other values.',
    ),
    source: Type.Enum(['default', 'file', 'environment'], { description: 'Source of the value.' }),
    secret: Type.Boolean({ description: 'Of a secret, only `is_set` is shown.' }),
    is_set: Type.Boolean(),
    value: Type.Union([Type.Boolean(), Type.Integer(), Type.String(), Type.Array(Type.String()), Type.Null()], {
      description: 'Null for a secret, and for a setting without a value.',
    }),
  },
  { title: 'EffectiveSetting' },
);
export type EffectiveSetting = Static<typeof EffectiveSetting>;

export const SystemStatus = Type.Object(
  {
    version: Type.String({ description: 'Of the server; that of the API is in `GET /api/v1/system/info`.' }),
    node_version: Type.String(),
    platform: Type.String({ description: 'Operating system and processor, such as `linux-x64`.' }),
    started_at: Type.String({ format: 'date-time' }),
    uptime_seconds: Type.Integer({ minimum: 0 }),
    memory_bytes: Type.Integer({ minimum: 0, description: 'Memory that the process holds (resident set).' }),
    engine: Type.Enum(['sqlite', 'postgres']),
    storage: Type.Array(StorageSize),
    settings: Type.Array(EffectiveSetting),
    extensions: Type.Array(ConfiguredExtension, {
      description: 'Entries of the setting `extensions`, as they were loaded at the start.',
    }),
  },
  { title: 'SystemStatus' },
);
export type SystemStatus = Static<typeof SystemStatus>;

/** Constant data about the server. Settings have no secrets. */
export type SystemFacts = Pick<
  SystemStatus,
  'version' | 'node_version' | 'platform' | 'engine' | 'settings' | 'extensions'
>;

export interface SystemStatusParts {
  facts: SystemFacts;
  meter: StorageMeter;
  /** Resident set of the process, bytes. */
  memoryBytes: () => number;
}

/** System status for admins. The uptime counts from its creation. */
export class SystemStatusService {
  readonly #parts: SystemStatusParts;
  readonly #startedAt = now();
  /** Milliseconds of a monotonic clock. */
  readonly #started = performance.now();

  constructor(parts: SystemStatusParts) {
    this.#parts = parts;
  }

  async read(): Promise<SystemStatus> {
    const { facts, meter, memoryBytes } = this.#parts;
    return {
      ...facts,
      started_at: this.#startedAt,
      uptime_seconds: Math.floor((performance.now() - this.#started) / 1000),
      memory_bytes: memoryBytes(),
      storage: await meter.measure(),
    };
  }
}
