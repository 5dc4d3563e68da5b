import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beginning, kinds } from '../../server/test/browser/texts.ts';
import type { ApiClient } from '../../server/test/end-to-end/api-client.ts';
import { week } from './sample-installation.ts';

/** A page of the console, or one of its tabs. */
export interface PageSubject {
  name: string;
  path: string;
  /** Actions on the page before the screenshot. */
  before?: (page: Page) => Promise<void>;
}

/** The page before the first account exists. */
export const setUpSubject: PageSubject = { name: 'set-up', path: '/set-up' };

/** The pages that are open to all. */
export const publicSubjects: readonly PageSubject[] = [
  { name: 'sign-in', path: '/sign-in' },
  { name: 'sign-in-oidc', path: '/sign-in/oidc?error=identity_unknown' },
  { name: 'reset-password', path: '/reset-password' },
];

/** Pages of an installation without records, which show their empty states. */
export function emptySubjects({ pipeline, bot }: { pipeline: string; bot: string }): PageSubject[] {
  return named('empty', {
    dashboard: '/',
    messages: '/messages',
    conversations: '/messages?tab=conversations',
    errors: '/messages?tab=errors',
    feedback: '/messages?tab=feedback',
    chat: '/chat',
    start: '/start',
    'start-model': '/start?step=model',
    'start-hello': '/start?step=hello',
    bots: '/bots',
    'bot-log': `/bots/${bot}?tab=log`,
    'bot-conversations': `/bots/${bot}?tab=conversations`,
    'pipeline-ai': `/pipelines/${pipeline}?tab=ai`,
    'pipeline-extensions': `/pipelines/${pipeline}?tab=extensions`,
    knowledge: '/knowledge',
    models: '/models',
    prices: '/models?tab=prices',
    tools: '/tools',
    'api-keys': '/api-keys',
    webhooks: '/webhooks',
    tasks: '/system?tab=tasks',
    logs: '/system?tab=logs',
    'not-found': '/nowhere',
  });
}

/** Every page and tab of the console, in an installation in use. */
export async function pageSubjects(api: ApiClient): Promise<PageSubject[]> {
  const { bots } = await api.data('GET', '/platform/bots');
  const pipeline = bots[0].use_pipeline_uuid;
  const { uuid: telegram } = bots.find(({ adapter }: { adapter: string }) => adapter === 'telegram');
  const [base] = (await api.data('GET', '/knowledge/bases')).bases;
  const [file] = (await api.data('GET', `/knowledge/bases/${base.uuid}/files`)).files;
  const { models } = await api.data('GET', '/provider/models/llm');
  const model = models.find(({ name }: { name: string }) => name === 'gpt-4o');
  const [server] = (await api.data('GET', '/mcp/servers')).servers;
  const [webhook] = (await api.data('GET', '/webhooks')).webhooks;
  const [message] = (await api.data('GET', `/messages?direction=inbound&pipeline_uuid=${pipeline}`)).messages;
  const [failed] = (await api.data('GET', '/messages?state=failed')).messages;
  const conversation = `/messages/conversation?bot=${failed.bot_uuid}&session=${failed.session_type}_${failed.session_id}`;
  const pages = named('', {
    dashboard: `/?${week}`,
    'dashboard-cost': `/?${week}&chart=cost&by=model`,
    messages: '/messages',
    'messages-conversations': '/messages?tab=conversations',
    'messages-errors': '/messages?tab=errors',
    'messages-feedback': '/messages?tab=feedback',
    'messages-none': '/messages?text=nothing-has-this-text',
    message: `/messages/${message.uuid}`,
    'message-failed': `/messages/${failed.uuid}`,
    conversation,
    chat: '/chat',
    bots: '/bots',
    'bot-platforms': '/bots/new',
    'bot-new': '/bots/new?adapter=telegram',
    bot: `/bots/${telegram}`,
    'bot-routing': `/bots/${telegram}?tab=routing`,
    'bot-log': `/bots/${telegram}?tab=log`,
    'bot-conversations': `/bots/${bots[0].uuid}?tab=conversations`,
    'bot-send': `/bots/${telegram}?tab=send`,
    pipelines: '/pipelines',
    'pipeline-trigger': `/pipelines/${pipeline}?tab=trigger`,
    'pipeline-safety': `/pipelines/${pipeline}?tab=safety`,
    'pipeline-ai': `/pipelines/${pipeline}?tab=ai`,
    'pipeline-output': `/pipelines/${pipeline}?tab=output`,
    'pipeline-general': `/pipelines/${pipeline}?tab=general`,
    'pipeline-extensions': `/pipelines/${pipeline}?tab=extensions`,
    'pipeline-chat': `/pipelines/${pipeline}?tab=chat&message=${message.uuid}`,
    knowledge: '/knowledge',
    'knowledge-new': '/knowledge/new',
    'base-documents': `/knowledge/${base.uuid}`,
    'base-playground': `/knowledge/${base.uuid}?tab=playground&q=Does%20the%20museum%20open%20on%20Sundays%3F`,
    'base-questions': `/knowledge/${base.uuid}?tab=questions`,
    'base-settings': `/knowledge/${base.uuid}?tab=settings`,
    document: `/knowledge/${base.uuid}/files/${file.uuid}`,
    models: '/models',
    'models-prices': '/models?tab=prices',
    'provider-kinds': '/models/providers/new',
    'provider-new': '/models/providers/new?requester=openai-chat-completions',
    'provider-models': `/models/providers/${model.provider_uuid}`,
    'provider-add': `/models/providers/${model.provider_uuid}?tab=add`,
    'provider-configuration': `/models/providers/${model.provider_uuid}?tab=configuration`,
    model: `/models/llm/${model.uuid}`,
    tools: '/tools',
    'server-new': '/tools/servers/new',
    'server-tools': `/tools/servers/${server.uuid}`,
    'server-configuration': `/tools/servers/${server.uuid}?tab=configuration`,
    'api-keys': '/api-keys',
    'api-key-new': '/api-keys/new',
    webhooks: '/webhooks',
    'webhook-new': '/webhooks/new',
    'webhook-deliveries': `/webhooks/${webhook.id}`,
    'webhook-configuration': `/webhooks/${webhook.id}?tab=configuration`,
    audit: '/audit',
    accounts: '/accounts',
    account: '/account',
    'system-overview': '/system',
    'system-tasks': '/system?tab=tasks',
    'system-logs': '/system?tab=logs',
    'system-words': '/system?tab=words',
    'system-settings': '/system?tab=settings',
    'api-reference': '/api-reference',
    start: '/start',
    'start-model': '/start?step=model',
  });
  return [...pages, { name: 'start-connect', path: '/start', before: choosePlatform }];
}

async function choosePlatform(page: Page): Promise<void> {
  // The server remembers the choice.
  const choice = page.getByRole('button', { name: beginning(kinds.telegram) });
  const token = page.locator('[data-field="adapter_config.token"]');
  await choice.or(token).first().waitFor();
  if (await choice.isVisible()) await choice.click();
  await token.waitFor();
}

/** @throws Error with the routes of the console that no subject shows */
export function checkComplete(subjects: readonly PageSubject[]): void {
  const web = fileURLToPath(new URL('../../web/src', import.meta.url));
  const files = globSync(['router.tsx', 'pages/*/routes.ts'], { cwd: web });
  const sources = files.map((file) => readFileSync(`${web}/${file}`, 'utf8'));
  const routes = sources.flatMap((source) => [...source.matchAll(/\bpath: '(\/[^']*)'/g)].map(([, path = '']) => path));
  const shown = new Set(subjects.map(({ path }) => routeOf(new URL(path, 'http://console').pathname, routes)));
  const missing = routes.filter((route) => !shown.has(route));
  if (missing.length > 0) throw new Error(`No picture shows ${missing.join(', ')}`);
}

/** The route of a path: the one with the fewest parameters. */
function routeOf(path: string, routes: readonly string[]): string | undefined {
  const parameters = (route: string) => route.split('$').length;
  const matching = routes.filter((route) => new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path));
  return matching.toSorted((one, other) => parameters(one) - parameters(other))[0];
}

function named(prefix: string, paths: Record<string, string>): PageSubject[] {
  return Object.entries(paths).map(([name, path]) => ({ name: prefix === '' ? name : `${prefix}-${name}`, path }));
}
