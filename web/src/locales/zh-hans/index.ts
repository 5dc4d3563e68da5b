import type { english } from '../en/index.ts';
import type { Texts } from '../texts.ts';
import * as account from './account.ts';
import * as chat from './chat.ts';
import * as common from './common.ts';
import * as errors from './errors.ts';
import * as forms from './forms.ts';
import * as navigation from './navigation.ts';
import * as shell from './shell.ts';

/** The texts in Simplified Chinese. */
export const chinese: Texts<typeof english> = {
  ...account,
  ...chat,
  ...common,
  ...errors,
  ...forms,
  ...navigation,
  ...shell,
};
