import * as account from './account.ts';
import * as botStates from './bot-states.ts';
import * as common from './common.ts';
import * as dashboard from './dashboard.ts';
import * as errors from './errors.ts';
import * as hints from './hints.ts';
import * as navigation from './navigation.ts';
import * as palette from './palette.ts';
import * as shell from './shell.ts';
import * as timeRange from './time-range.ts';

/**
 * What sign-in, the frame of the console and its first page say. Reasons of errors are in `pages.ts`: until those are
 * loaded, the message of the server is shown, which is the same.
 */
export const first = {
  ...account,
  ...botStates,
  ...common,
  ...dashboard,
  ...errors,
  ...hints,
  ...navigation,
  ...palette,
  ...shell,
  ...timeRange,
};
