import type { FakeTelegram } from '../../server/src/platforms/telegram/testing/fake-telegram.ts';
import { type ApiClient, answerOf } from '../../server/test/end-to-end/api-client.ts';
import type { WebhookReceiver } from '../../server/test/fakes/webhook-receiver.ts';
import { until } from './sample-installation.ts';

/** What the installation is connected to, besides its model. */
export interface Surroundings {
  telegram: FakeTelegram;
  receiver: WebhookReceiver;
  /** URL of an MCP server. */
  toolServer: string;
}

/** Adds a record of every other kind to the sample installation, and a message that was answered just now. */
export async function connectInstallation(api: ApiClient, surroundings: Surroundings): Promise<void> {
  const { bots } = await api.data('GET', '/platform/bots');
  const pipeline = bots[0].use_pipeline_uuid;
  await addBots(api, pipeline, surroundings.telegram);
  const { uuid: server } = await api.data('POST', '/mcp/servers', {
    name: 'Ticket office',
    mode: 'http',
    enable: true,
    extra_args: { url: surroundings.toolServer, headers: { 'X-Key': 'a-secret-0123456789' } },
  });
  await api.data('PUT', `/pipelines/${pipeline}/extensions`, {
    bound_mcp_servers: [server],
    enable_all_mcp_servers: false,
  });
  await api.data('POST', '/webhooks', { name: 'Archive', url: surroundings.receiver.url });
  await api.data('POST', '/webhooks', { name: 'Help desk', url: surroundings.receiver.url, enabled: false });
  await addAccess(api);
  await api.data('PUT', '/provider/model-prices/gpt-4o', { input_price: 2.5, output_price: 10 });
  await api.data('PUT', '/provider/model-prices/gpt-4o-mini', { input_price: 0.15, output_price: 0.6 });
  await api.data('PUT', '/safety/sensitive-words', { words: ['password', 'card number \\d+'], mask: '*' });
  await answerOf(api, pipeline, 'Are you open on Sundays?');
  await rateAnswer(api, pipeline);
  await evaluate(api);
  await until(async () => {
    const { servers } = await api.data('GET', '/mcp/servers');
    return servers[0].runtime_info.status === 'connected';
  });
}

async function addBots(api: ApiClient, pipeline: string, telegram: FakeTelegram): Promise<void> {
  const bot = { adapter: 'telegram', enable: true, use_pipeline_uuid: pipeline };
  await api.data('POST', '/platform/bots', {
    ...bot,
    name: 'Museum on Telegram',
    adapter_config: { token: telegram.token, api_base_url: telegram.apiBaseUrl },
    pipeline_routing_rules: [
      { pipeline_uuid: pipeline, keywords: ['ticket', 'price'], mentioned: true },
      { pipeline_uuid: pipeline, persons: ['123456'] },
    ],
  });
  await api.data('POST', '/platform/bots', {
    ...bot,
    name: 'Night shift',
    adapter_config: { token: '123456789:AAwrong-token-of-no-bot', api_base_url: telegram.apiBaseUrl },
  });
}

async function addAccess(api: ApiClient): Promise<void> {
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  await api.data('POST', '/apikeys', { name: 'Reports', scopes: ['read'], expires_at: soon });
  await api.data('POST', '/apikeys', { name: 'Website', scopes: ['read', 'send'] });
  await api.data('POST', '/accounts', { user: 'guide@example.com', password: 'correct horse battery', role: 'member' });
}

async function rateAnswer(api: ApiClient, pipeline: string): Promise<void> {
  const { messages } = await api.data('GET', `/messages?direction=outbound&pipeline_uuid=${pipeline}`);
  const feedback = { feedback_type: 1, feedback_content: 'Exactly what I wanted to know.' };
  await api.data('POST', `/messages/${messages[0].uuid}/feedback`, feedback);
}

async function evaluate(api: ApiClient): Promise<void> {
  const { bases } = await api.data('GET', '/knowledge/bases');
  const base = `/knowledge/bases/${bases[0].uuid}`;
  const expected = [{ file_name: 'handbook.md' }];
  await api.data('POST', `${base}/questions`, { question: 'When does the museum close on Thursdays?', expected });
  await api.data('POST', `${base}/questions`, { question: 'Is there somewhere to eat?', expected });
  for (const runs of [1, 2]) {
    await api.data('POST', `${base}/evaluations`, {});
    await until(async () => {
      const { evaluations } = await api.data('GET', `${base}/evaluations`);
      return evaluations.filter(({ state }: { state: string }) => state === 'finished').length === runs;
    });
  }
}
