import type { first as english } from '../en/first.ts';
import type { Texts } from '../texts.ts';
import * as account from './account.ts';
import * as botStates from './bot-states.ts';
import * as common from './common.ts';
import * as dashboard from './dashboard.ts';
import * as errors from './errors.ts';
import * as hints from './hints.ts';
import * as navigation from './navigation.ts';
import * as palette from './palette.ts';
import * as reasons from './reasons.ts';
import * as shell from './shell.ts';
import * as timeRange from './time-range.ts';

/** What sign-in, the frame of the console and its first page say. */
export const first: Texts<typeof english> = {
  ...account,
  ...botStates,
  ...common,
  ...dashboard,
  ...errors,
  ...hints,
  ...navigation,
  ...palette,
  ...reasons,
  ...shell,
  ...timeRange,
};
