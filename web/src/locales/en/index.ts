import * as account from './account.ts';
import * as chat from './chat.ts';
import * as common from './common.ts';
import * as errors from './errors.ts';
import * as forms from './forms.ts';
import * as navigation from './navigation.ts';
import * as shell from './shell.ts';

/** The English texts; those of other languages have the same keys. */
export const english = {
  ...account,
  ...chat,
  ...common,
  ...errors,
  ...forms,
  ...navigation,
  ...shell,
};
