import type { PlatformFacts } from './platform-facts.ts';
import type { Stage } from './stage.ts';

export type CaseFamily =
  | 'receiving'
  | 'once only'
  | 'verification'
  | 'requests'
  | 'connections'
  | 'credentials'
  | 'sending'
  | 'streams'
  | 'time windows'
  | 'network'
  | 'log-in';

/** A situation that every platform must handle. */
export interface PlatformCase {
  family: CaseFamily;
  /** Unique in all families; it appears in reports. */
  name: string;
  /** Whether the platform's declaration promises what the case is about. Default: always. */
  needs?(facts: PlatformFacts): boolean;
  /** It is about a connection that the adapter keeps, or polls. */
  needsConnection?: boolean;
  /** @throws NotOfThisPlatform, or what is wrong with the adapter */
  run(stage: Stage): Promise<void>;
}

/** Cases of one family. */
export function casesOf(family: CaseFamily, cases: readonly Omit<PlatformCase, 'family'>[]): PlatformCase[] {
  return cases.map((one) => ({ family, ...one }));
}
