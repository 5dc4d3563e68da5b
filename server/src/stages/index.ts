import type { Stage } from '@parley/sdk';
import { accessControl } from './access-control/index.ts';
import { aggregation } from './aggregation/index.ts';
import { createGroupRules } from './group-rules/index.ts';
import { createIgnoreRules } from './ignore-rules/index.ts';
import { quote } from './quote/index.ts';
import { rateLimit } from './rate-limit/index.ts';

/** Every built-in stage, in the order in which a message passes through them. */
export function createStages(): Stage[] {
  return [
    aggregation,
    accessControl,
    createGroupRules(),
    createIgnoreRules(),
    // Behind whatever may end a message or have it wait, so that only what is answered counts.
    rateLimit,
    quote,
  ];
}
