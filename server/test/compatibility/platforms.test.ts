import type { FakePlatform } from '@parley/sdk/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../factories/eventually.ts';
import { fakedPlatforms } from '../factories/faked-platforms.ts';
import { startTestService } from '../factories/start-test-service.ts';
import { ReferenceClient } from './reference-client.ts';

const service = await startTestService();
const client = new ReferenceClient(service);
const list = '/api/v1/platform/bots';
afterAll(() => service.stop());

/** Fields of the reference's forms that do something; others are accepted where they were saved. */
const fields: Record<string, string> = {
  aiocqhttp: 'host port access-token',
  dingtalk:
    'client_id client_secret robot_code robot_name markdown_card enable-stream-reply card_auto_layout card_template_id',
  discord: 'client_id token',
  lark: 'app_id app_secret enable-webhook encrypt-key enable-stream-reply app_type',
  slack: 'bot_token signing_secret',
  telegram: 'token markdown_card enable-stream-reply',
  wecombot: 'BotId robot_name enable-webhook Secret Token EncodingAESKey enable-stream-reply',
};

/** Adapters whose forms show the address of the webhook. */
const withAddress = ['lark', 'slack', 'wecombot'];

/** Kinds of fields that the reference's forms can show. */
const types =
  /^(integer|float|number|boolean|string|text|json|select|array\[string\]|file|array\[file\]|[a-z-]+-selector|webhook-url)$/;

interface Field {
  name: string;
  label: Record<string, string>;
  type: string;
  required: boolean;
  default?: unknown;
}

describe.each(Object.entries(fakedPlatforms))('the form of %s', (adapter, { start, saved }) => {
  let fake: FakePlatform;
  let bot = '';
  beforeEach(async () => {
    fake = await start();
  });
  afterEach(async () => {
    if (bot !== '') await client.delete(`${list}/${bot}`);
    bot = '';
    await fake.close();
  });

  const form = async (): Promise<Field[]> =>
    (await client.get(`/api/v1/platform/adapters/${adapter}`)).adapter.spec.config;
  const shown = async () => (await client.get(`${list}/${bot}`)).bot;

  it('is listed, and creates and edits a bot that runs', async () => {
    const { adapters } = await client.get('/api/v1/platform/adapters');
    expect(adapters.map(({ name }: { name: string }) => name)).toContain(adapter);
    const config = await form();
    expect(config.map(({ name }) => name)).toEqual(expect.arrayContaining((fields[adapter] ?? '').split(' ')));
    for (const { type, label } of config) {
      expect(type).toMatch(types);
      expect(label).toMatchObject({ en_US: expect.any(String), zh_Hans: expect.any(String) });
    }

    // The dialog creates a bot that is off, with the defaults of the form under what was entered.
    const defaults = Object.fromEntries(config.map((field) => [field.name, field.default ?? '']));
    const adapter_config = { ...defaults, ...saved(fake) };
    const made = await client.post(list, { name: 'A bot', description: '', adapter, adapter_config });
    bot = made.uuid;
    expect(await shown()).toMatchObject({ name: 'A bot', adapter, enable: false });

    // The switch in the list sends what was read, with masked secrets.
    const { bots } = await client.get(list);
    const { name, description, adapter_config: read } = bots.find(({ uuid }: { uuid: string }) => uuid === bot);
    await client.put(`${list}/${bot}`, { name, description, adapter, adapter_config: read, enable: true });
    const runtime = async () => (await shown()).adapter_runtime_values;
    await eventually(runtime).toMatchObject({ state: 'running', bot_account_id: fake.accountId });
    if (withAddress.includes(adapter)) {
      // Given also where the configuration uses a connection of the bot.
      expect((await runtime()).webhook_full_url).toBe(`${service.address}/bots/${bot}`);
    }

    // So does the form, with the uuid and all that it knows.
    const whole = await shown();
    await client.put(`${list}/${bot}`, { ...whole, name: 'Renamed' });
    expect(await shown()).toMatchObject({ name: 'Renamed', adapter_config: whole.adapter_config });
    await eventually(runtime).toMatchObject({ state: 'running' });
    await fake.deliver({ text: 'Are you there?' });
    await eventually(() => fake.sent().length).toBe(1);
  });
});
