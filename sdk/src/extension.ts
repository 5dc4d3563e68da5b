import manifest from '../package.json' with { type: 'json' };
import type { Command } from './command.ts';
import type { KnowledgeEngine } from './knowledge-engine.ts';
import type { ModelRequester } from './model-requester.ts';
import type { Parser } from './parser.ts';
import type { Platform } from './platform.ts';
import type { Runner } from './runner.ts';
import type { Stage } from './stage.ts';

/** Version of these contracts, semver. */
export const sdkVersion: string = manifest.version;

/**
 * What the module of an extension exports as `default`. Its parts are registered together, or not at all when one of
 * their names or settings exists already.
 * @example export default { sdk: '^0.1.0', runners: [echo] } satisfies Extension;
 */
export interface Extension {
  /** The versions of `@parley/sdk` that it works with, a semver range. */
  sdk: string;
  platforms?: readonly Platform[];
  modelRequesters?: readonly ModelRequester[];
  runners?: readonly Runner[];
  /** They follow the built-in ones. */
  stages?: readonly Stage[];
  commands?: readonly Command[];
  parsers?: readonly Parser[];
  knowledgeEngines?: readonly KnowledgeEngine[];
}
