import Type, { type Static } from 'typebox';
import { Address, Secret } from '../../../src/config-schema.ts';

/** The `adapter_config` of a bot. */
export const InventedConfig = Type.Object(
  {
    account: Type.String(),
    secret: Secret(),
    /** Signs requests to the webhook. */
    signing_key: Secret(),
    address: Address({ default: 'https://api.invented.example', 'x-advanced': true }),
    transport: Type.Enum(['webhook', 'websocket'], { default: 'webhook' }),
  },
  { additionalProperties: false },
);

export type InventedSettings = Static<typeof InventedConfig>;

/** Milliseconds; tests shorten them. */
export interface InventedTiming {
  call: number;
  firstPause: number;
  longestPause: number;
  heartbeat: number;
  /** How long the platform lets a message be streamed. */
  stream: number;
  /** How long the platform takes at most to fetch the end of a stream. */
  pull: number;
  /** Between two questions whether the user has signed in. */
  login: number;
}

export const defaultTiming: InventedTiming = {
  call: 30_000,
  firstPause: 500,
  longestPause: 60_000,
  heartbeat: 30_000,
  stream: 300_000,
  pull: 10_000,
  login: 5000,
};

/** Faults that can be built into the adapter, to prove that a case finds each. */
export const defects = [
  'acknowledges before storing',
  'accepts a missing signature',
  'compares a prefix of the signature',
  'no time window',
  'no replay guard',
  'takes requests only after a start',
  'takes requests after a stop',
  'receives its own messages',
  'new id for a redelivery',
  'id of the event',
  'sends again after a lost response',
  'rate limit is a refusal',
  'ignores the time of a rate limit',
  'repeats a refused send',
  'splits by UTF-16 units',
  'cuts characters',
  'edits beyond the limit',
  'edits a closed stream',
  'leaves an abandoned message unfinished',
  'ignores the handle',
  'context without uses',
  'context without expiry',
  'uses the global fetch',
  'leaves a timer',
  'leaves a socket',
  'connects again after a refusal',
  'no watchdog',
  'a token for each caller',
  'logs the secret',
  'fetches private addresses',
  'texts notify',
  'loses threads',
  'drops unknown kinds',
  'fetches before storing',
  'ignores late failures',
  'session is not resumed',
  'ends with the rate limit of an edit',
  'gives a slow sign-in up',
  'follows addresses without a check',
  'makes a call that does not exist',
] as const;
export type Defect = (typeof defects)[number];

/** What the parts of an adapter share. */
export interface Shared {
  settings: InventedSettings;
  timing: InventedTiming;
  has(defect: Defect): boolean;
}
