import { english } from '../../../web/src/locales/en/index.ts';
import { fill } from './texts.ts';

/** A form of a page: its address, and what opens it if it is a dialog. */
export interface Form {
  address: string;
  /** Label of the button that opens it. */
  button?: string;
  /** Labels of buttons that add fields, which are there again after a reload. */
  adds?: string[];
  /** Text of what is folded. */
  unfolds?: string;
  /** Nothing is chosen, because that would show other fields. */
  asIs?: true;
}

const secretsOnly = 'only secrets';
export const noInput = 'nothing is typed here';
const movedPage = 'it leads to another page';
const inAddress = 'the address has what is typed';

/** The forms of every page, by its route, or why it has none. */
export const formsOf: Record<string, Form[] | string> = {
  '/': noInput,
  '/account': secretsOnly,
  '/accounts': [{ address: '/accounts', button: english.accounts.new }],
  '/alerts': noInput,
  '/alerts/rules/new': [{ address: '/alerts/rules/new' }, { address: '/alerts/rules/new', asIs: true }],
  '/alerts/rules/$uuid': [{ address: '/alerts/rules/{rule}' }],
  '/alerts/targets/new': [{ address: '/alerts/targets/new' }, { address: '/alerts/targets/new', asIs: true }],
  '/alerts/targets/$uuid': [{ address: '/alerts/targets/{target}' }],
  '/api-keys': noInput,
  '/api-keys/new': [{ address: '/api-keys/new' }],
  '/audit': inAddress,
  '/bot': movedPage,
  '/bot/$': movedPage,
  '/bots': noInput,
  '/bots/new': [{ address: '/bots/new?adapter=telegram' }],
  '/bots/$uuid': [
    { address: '/bots/{bot}?tab=configuration' },
    { address: '/bots/{bot}?tab=routing', adds: [english.bots.addRule, english.bots.conditions.keywords] },
    { address: '/bots/{bot}?tab=send' },
  ],
  '/chat': [{ address: '/chat' }],
  '/start': [
    { address: '/start?step=connect', unfolds: english.guidedStart.moreSettings },
    { address: '/start?step=model' },
  ],
  '/guides': noInput,
  '/guides/$name': noInput,
  '/knowledge': noInput,
  '/knowledge/new': [{ address: '/knowledge/new' }, { address: '/knowledge/new', asIs: true }],
  '/knowledge/$uuid': [
    { address: '/knowledge/{base}?tab=playground' },
    { address: '/knowledge/{base}?tab=settings' },
    {
      address: '/knowledge/{base}?tab=questions',
      button: english.knowledge.newQuestion,
      adds: [english.knowledge.addExpected],
    },
    { address: '/knowledge/{base}?tab=questions', button: english.knowledge.import },
  ],
  '/knowledge/$uuid/files/$file': noInput,
  '/messages': inAddress,
  '/messages/conversation': noInput,
  '/messages/$uuid': noInput,
  '/models': [
    { address: '/models?tab=prices' },
    { address: '/models?tab=prices', button: fill(english.models.currencyIs, { currency: english.common.none }) },
  ],
  '/models/providers/new': [{ address: '/models/providers/new?requester=openai-chat-completions' }],
  '/models/providers/$uuid': [
    { address: '/models/providers/{provider}?tab=add' },
    { address: '/models/providers/{provider}?tab=configuration', adds: [english.models.addKey] },
  ],
  '/models/$kind/$uuid': [{ address: '/models/llm/{model}' }],
  '/pipelines': [{ address: '/pipelines', button: english.pipelines.new }],
  '/pipelines/$uuid': [
    { address: '/pipelines/{pipeline}?tab=general' },
    { address: '/pipelines/{pipeline}?tab=ai' },
    { address: '/pipelines/{other}?tab=ai', asIs: true, adds: [english.forms.addMessage] },
    { address: '/pipelines/{pipeline}?tab=trigger' },
    { address: '/pipelines/{pipeline}?tab=safety' },
    { address: '/pipelines/{pipeline}?tab=output' },
    { address: '/pipelines/{pipeline}?tab=chat' },
  ],
  '/plugins/$author/$name/pages/$page': 'what is typed there is of the plugin',
  '/plugins': noInput,
  '/plugins/install': [{ address: '/plugins/install' }],
  '/plugins/$author/$name': [
    { address: '/plugins/example/units?tab=settings' },
    { address: '/plugins/example/units?tab=access' },
  ],
  '/api-reference': noInput,
  '/system': [{ address: '/system?tab=words' }],
  '/tools': noInput,
  '/tools/servers/new': [
    { address: '/tools/servers/new' },
    { address: '/tools/servers/new', asIs: true, adds: [english.tools.addPair] },
  ],
  '/tools/servers/$uuid': [{ address: '/tools/servers/{server}?tab=configuration', adds: [english.tools.addPair] }],
  '/webhooks': noInput,
  '/webhooks/new': [{ address: '/webhooks/new' }],
  '/webhooks/$id': [{ address: '/webhooks/{webhook}?tab=configuration' }],
};
