import type { Stage } from '@parley/sdk';
import { accessControl } from './access-control/index.ts';
import { addressing } from './addressing/index.ts';
import { aggregation } from './aggregation/index.ts';
import { type ContentFilterOptions, createContentFilter } from './content-filter/index.ts';
import { createDelay } from './delay/index.ts';
import { createGroupRules } from './group-rules/index.ts';
import { createIgnoreRules } from './ignore-rules/index.ts';
import { createLongText, type LongTextOptions } from './long-text/index.ts';
import { quote } from './quote/index.ts';
import { rateLimit } from './rate-limit/index.ts';
import { removeThink } from './remove-think/index.ts';
import { split } from './split/index.ts';

export interface StageOptions extends ContentFilterOptions, LongTextOptions {}

/** Every built-in stage, in the order in which a message passes through them, and its answer, too. */
export function createStages(options: StageOptions): Stage[] {
  return [
    aggregation,
    accessControl,
    createGroupRules(),
    createIgnoreRules(),
    // Before the content filter: removing a thought must not form a sensitive word, and masking must not break its
    // tags.
    removeThink,
    createContentFilter(options),
    // After all stages that may end a message or let it wait, so that only answered messages count.
    rateLimit,
    quote,
    createLongText(options),
    addressing,
    createDelay(),
    // Last, as whatever comes before may make a text longer.
    split,
  ];
}
