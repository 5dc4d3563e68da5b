import type { Runner } from '@parley/sdk';
import { localAgent } from './local-agent/index.ts';

/** Every built-in runner. */
export const runners: Runner[] = [localAgent];
