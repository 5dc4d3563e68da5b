import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { fillLedger } from '../../bench/lib/filled-ledger.ts';
import { promptPassages } from '../../server/src/runners/local-agent/testing/knowledge-questions.ts';
import type { ApiClient } from '../../server/test/end-to-end/api-client.ts';
import type { FakeOpenAi } from '../../server/test/fakes/openai-server.ts';

/** The sample messages are from January. */
export const week = 'range=own&from=2026-01-12T00:00:00.000Z&to=2026-01-19T00:00:00.000Z';

const handbook = `# Visiting

## Opening hours

The museum opens at nine in the morning every day, on Sundays and holidays, too. It closes at six, on Thursdays at nine in
the evening. The last admission is one hour before it closes.

## Tickets

A ticket costs twelve euros. Children up to fourteen, school classes and people with a disability come in free. A ticket is
valid for one day; leave and come back as often as you like.

# House rules

Photographs without flash are welcome. Bags larger than a sheet of A3 paper stay in the lockers beside the entrance.
`;
const prices = 'ticket,price in euros\nday ticket,12\nyear ticket,48\nguided tour,6\naudio guide,4\n';
const faq = `<html><head><title>Questions that are often asked</title></head><body><main>
<h1>Questions that are often asked</h1>
<h2>Is there a café?</h2><p>Yes, beside the garden on the ground floor. It opens half an hour after the museum.</p>
<h2>May I bring a dog?</h2><p>Guide dogs only. Water is at the entrance.</p>
<h2>Where can I park?</h2><p>Below the square, two minutes away; the first hour is free for visitors.</p>
</main></body></html>`;

/** Answers from the passages of a prompt, with citations. */
export function answered(model: FakeOpenAi, index: number) {
  const told = (model.requests[index]?.body?.messages ?? []) as { role: string; content: string }[];
  const shown = promptPassages(told.findLast(({ role }) => role === 'user')?.content ?? '');
  const hours = shown.find(({ text }) => text.includes('opens at nine'))?.number;
  const chunks = [
    'Yes, on Sundays, too: from **nine in the morning until six** ',
    `[${hours}: "The museum opens at nine in the morning every day, on Sundays and holidays, too"]. `,
    `The last admission is one hour before it closes `,
    `[${hours}: "The last admission is one hour before it closes"].`,
  ];
  return { kind: 'answer' as const, chunks, usage: { prompt_tokens: 812, completion_tokens: 64 } };
}

/** Records of an installation in use. */
export function fillInstallation(model: FakeOpenAi) {
  return async (api: ApiClient): Promise<{ bots: string[] }> => {
    const provider = await api.data('POST', '/provider/providers', {
      name: 'OpenAI',
      requester: 'openai-chat-completions',
      base_url: model.base_url,
      api_keys: ['sk-0123456789abcdefghij'],
    });
    const provider_uuid = provider.uuid;
    const abilities = ['func_call', 'vision'];
    const llm = await api.data('POST', '/provider/models/llm', { name: 'gpt-4o-mini', provider_uuid, abilities });
    await api.data('POST', '/provider/models/llm', { name: 'gpt-4o', provider_uuid, abilities });
    await api.data('POST', '/provider/models/embedding', { name: 'text-embedding-3-small', provider_uuid });
    const base = await api.data('POST', '/knowledge/bases', {
      name: 'Visitor handbook',
      emoji: '🏛️',
      knowledge_engine_plugin_id: 'parley/built-in',
      description: 'Opening hours, tickets and house rules.',
    });
    for (const [name, content] of [
      ['handbook.md', handbook],
      ['prices.csv', prices],
      ['questions.html', faq],
    ] as const) {
      const { file_id } = (await api.upload(name, content)).body.data;
      await api.data('POST', `/knowledge/bases/${base.uuid}/files`, { file_id });
    }
    const { bots } = await api.data('GET', '/platform/bots');
    const pipeline = bots[0].use_pipeline_uuid;
    const { config } = (await api.data('GET', `/pipelines/${pipeline}`)).pipeline;
    Object.assign(config.ai['local-agent'], {
      model: { primary: llm.uuid, fallbacks: [] },
      'knowledge-bases': [base.uuid],
    });
    await api.data('PUT', `/pipelines/${pipeline}`, { name: 'Visitor service', emoji: '🏛️', config });
    const front = await api.data('POST', '/platform/bots', {
      name: 'Front desk',
      adapter: 'websocket',
      adapter_config: {},
      enable: true,
      use_pipeline_uuid: pipeline,
    });
    const tours = await api.data('POST', '/platform/bots', {
      name: 'Guided tours',
      adapter: 'websocket',
      adapter_config: {},
      enable: true,
      use_pipeline_uuid: pipeline,
    });
    await until(async () => {
      const { files } = await api.data('GET', `/knowledge/bases/${base.uuid}/files`);
      return files.every(({ status }: { status: string }) => status === 'completed');
    });
    await api.data('POST', '/system/wizard/completed', { status: 'completed' });
    return { bots: [bots[0].uuid, front.uuid, tours.uuid] };
  };
}

/** Inserts message history. The service must not run. */
export function fillHistory(file: string, bots: string[]): void {
  fillLedger(file, 160_000, 400);
  const database = new DatabaseSync(file);
  const past = database.prepare("select distinct bot_uuid from conversations where bot_uuid like '00000000-%'").all();
  for (const [index, { bot_uuid }] of past.entries()) {
    const bot = bots[index % 7 < 4 ? 0 : index % 7 < 6 ? 1 : 2] ?? '';
    for (const table of ['conversations', 'messages'])
      database.prepare(`update ${table} set bot_uuid = ? where bot_uuid = ?`).run(bot, String(bot_uuid));
  }
  database.exec("update model_calls set model_name = iif(model_name = 'model-0', 'gpt-4o', 'gpt-4o-mini')");
  // Fewer messages at night and on some days.
  database.exec(`
    create temporary table unwritten as select uuid from messages where direction = 'inbound'
      and abs(random()) % 100 < 35 + 25 * (strftime('%w', created_at) in ('0', '6')) + strftime('%d', created_at) * 7 % 23
        + 20 * (strftime('%H', created_at) not between '07' and '21');
    delete from messages where reply_to in unwritten or uuid in unwritten;`);
  database.close();
}

/** @throws Error when it does not hold within a minute */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('It took too long');
    await delay(100);
  }
}
