import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Runner, textOfChain } from '@parley/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakePlatform, type FakePlatform } from '../factories/fake-platform.ts';
import { pluginClient } from '../factories/plugin-client.ts';
import { pluginPackage } from '../factories/plugin-package.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { probes } from '../hostile/probes.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { messageEvent } from '../stores/ledger-records.ts';

const page = readFileSync(new URL('../../../docs/plugins.md', import.meta.url), 'utf8');
const [, module = ''] = /```js\n(\/\*\* @type.*?)```/s.exec(page) ?? [];
const [, manifest = ''] = /```json\n(\{\n {2}"id": "example\/message-counter".*?)```/s.exec(page) ?? [];

const agreeing: Runner = {
  name: 'agreeing',
  label: { en_US: 'Agreeing' },
  async *answer() {
    yield { type: 'text', text: 'Yes' };
  },
};

describe('the plugin of docs/plugins.md', () => {
  let service: TestService;
  let fake: FakePlatform;
  beforeAll(async () => {
    await sharedResource('commandLine');
    fake = createFakePlatform();
    service = await startTestService({ extensions: { platforms: [fake.platform], runners: [agreeing] } });
  }, 120_000);
  afterAll(() => service.stop());

  const data = async (method: string, url: string, json: object) =>
    (await service.request({ method, url, bearer: service.account.token, json })).body.data;

  it('is installed as it stands there, and does what the page says', async () => {
    expect(JSON.parse(manifest).files).toEqual({ 'main.js': createHash('sha256').update(module).digest('hex') });
    const client = pluginClient(service);
    const content = pluginPackage({ files: { 'main.js': module }, manifest });
    const { digest } = await client.inspect(content);
    const task = await client.install(content, `?digest=${digest}&consent=true`);
    expect(task.runtime).toMatchObject({ exception: null, result: { state: 'enabled' } });
    const pipeline = { name: 'Counted', config: { ai: { runner: { runner: 'agreeing' } } } };
    const { uuid: use_pipeline_uuid } = await data('POST', '/api/v1/pipelines', pipeline);
    const bot = { name: 'Bot', adapter: 'fake', adapter_config: {}, enable: true, use_pipeline_uuid };
    await data('POST', '/api/v1/platform/bots', bot);
    await expect.poll(() => fake.up()).toHaveLength(1);
    const said = () => fake.sent.map(({ message_chain }) => textOfChain(message_chain));
    await fake.up()[0]?.context.receive(messageEvent('Hello'));
    await expect.poll(said, { timeout: 20_000 }).toEqual(['Yes']);
    await fake.up()[0]?.context.receive(messageEvent('!count'));
    await expect.poll(said, { timeout: 20_000 }).toEqual(['Yes', '2 messages']);
  }, 60_000);
});

describe('docs/plugins.md', () => {
  it('lists what each wall alone lets through', () => {
    const [, table = ''] =
      /\| what a plugin tries \| Node\.js alone \| kernel alone \|\n\|---\|---\|---\|\n(.*?)\n\n/s.exec(page) ?? [];
    const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
    const listed = rows.map(([, name, node, kernel]) => [name, node === 'refused', kernel === 'refused']);
    const priority = 'change the priority of the service';
    const expected = probes
      // Which one stops it depends on who runs the tests.
      .filter(({ stoppedBy, name }) => stoppedBy.length === 1 || name === priority)
      .map(({ name, stoppedBy }) => [
        name,
        stoppedBy.includes('node'),
        name !== priority && stoppedBy.includes('kernel'),
      ]);
    expect(listed).toEqual(expected);
  });
});
