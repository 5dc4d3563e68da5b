import type { english } from '../en/index.ts';
import type { Texts } from '../texts.ts';
import * as account from './account.ts';
import * as apiKeys from './api-keys.ts';
import * as audit from './audit.ts';
import * as bots from './bots.ts';
import * as chat from './chat.ts';
import * as common from './common.ts';
import * as dashboard from './dashboard.ts';
import * as errors from './errors.ts';
import * as explain from './explain.ts';
import * as forms from './forms.ts';
import * as guidedStart from './guided-start.ts';
import * as knowledge from './knowledge.ts';
import * as messages from './messages.ts';
import * as models from './models.ts';
import * as navigation from './navigation.ts';
import * as palette from './palette.ts';
import * as pipelines from './pipelines.ts';
import * as reference from './reference.ts';
import * as shell from './shell.ts';
import * as systemTexts from './system.ts';
import * as timeRange from './time-range.ts';
import * as tools from './tools.ts';
import * as webhooks from './webhooks.ts';

/** The texts in Simplified Chinese. */
export const chinese: Texts<typeof english> = {
  ...account,
  ...chat,
  ...common,
  ...errors,
  ...explain,
  ...forms,
  ...knowledge,
  ...messages,
  ...dashboard,
  ...navigation,
  ...pipelines,
  ...shell,
  ...timeRange,
  ...bots,
  ...guidedStart,
  ...models,
  ...audit,
  ...tools,
  ...systemTexts,
  ...reference,
  ...palette,
  ...apiKeys,
  ...webhooks,
};
