import type { pages as english } from '../en/pages.ts';
import type { Texts } from '../texts.ts';
import * as accounts from './accounts.ts';
import * as alerts from './alerts.ts';
import * as apiKeys from './api-keys.ts';
import * as audit from './audit.ts';
import * as bots from './bots.ts';
import * as chat from './chat.ts';
import * as citations from './citations.ts';
import * as explain from './explain.ts';
import * as fieldRules from './field-rules.ts';
import * as forms from './forms.ts';
import * as guidedStart from './guided-start.ts';
import * as guideTexts from './guides.ts';
import * as knowledge from './knowledge.ts';
import * as lists from './lists.ts';
import * as messages from './messages.ts';
import * as models from './models.ts';
import * as pipelines from './pipelines.ts';
import * as pluginPages from './plugin-pages.ts';
import * as plugins from './plugins.ts';
import * as problems from './problems.ts';
import * as reasons from './reasons.ts';
import * as reference from './reference.ts';
import * as systemTexts from './system.ts';
import * as tools from './tools.ts';
import * as webhooks from './webhooks.ts';

/** What the other pages say. */
export const pages: Texts<typeof english> = {
  ...accounts,
  ...alerts,
  ...apiKeys,
  ...audit,
  ...bots,
  ...chat,
  ...citations,
  ...plugins,
  ...problems,
  ...explain,
  ...fieldRules,
  ...forms,
  ...guidedStart,
  ...guideTexts,
  ...knowledge,
  ...lists,
  ...messages,
  ...models,
  ...pipelines,
  ...pluginPages,
  ...reasons,
  ...reference,
  ...systemTexts,
  ...tools,
  ...webhooks,
};
