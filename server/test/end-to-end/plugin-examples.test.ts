import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sdkVersion } from '@parley/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectPackage } from '../../src/core/plugins/package/inspect-package.ts';
import { openPackage } from '../../src/plugin-host/package/open-package.ts';
import { type CheckedPlugin, checkPlugin } from '../../src/plugin-toolkit/check-plugin.ts';
import { packPlugin } from '../../src/plugin-toolkit/pack-plugin.ts';
import { contributionChecks } from '../../src/plugin-toolkit/plugin-checks.ts';
import { openTrialHost } from '../../src/plugin-toolkit/trial-host.ts';
import { type AgentWithServers, startAgentWithServers } from '../factories/agent-with-servers.ts';
import { KnowledgeClient } from '../factories/knowledge-client.ts';
import { pluginClient } from '../factories/plugin-client.ts';
import { pluginProcessesOf } from '../factories/plugin-processes.ts';
import { runParley } from '../factories/run-parley.ts';
import { type SearchService, startSearchService } from '../fakes/search-service.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { messageEvent } from '../stores/ledger-records.ts';

const examples = fileURLToPath(new URL('../../../examples/plugins', import.meta.url));
const fixtures = fileURLToPath(new URL('../fixtures/plugins', import.meta.url));
const names = ['unit-converter', 'moderator', 'calendar-parser', 'http-engine'];
const key = 'k-0123456789';
const patience = { timeout: 20_000 };

let search: SearchService;
beforeAll(async () => {
  await sharedResource('commandLine');
  search = await startSearchService(key);
}, 120_000);
afterAll(() => search[Symbol.asyncDispose]());

describe.each(names)('the example %s', (name) => {
  it('passes the test of plugins', async () => {
    const settings = name === 'http-engine' ? { server: search.address, key } : {};
    const project = join(examples, name);
    // Their types are checked with all others.
    const checks: CheckedPlugin[] = [];
    for await (const check of checkPlugin(project, { settings, hasTypes: false })) checks.push(check);
    expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(checks.length).toBeGreaterThan(4);
    if (name === 'http-engine') expect([...search.collections]).toEqual([]);
  }, 30_000);
});

describe('a plugin that was packed with an earlier SDK', () => {
  const samples = { tools: { convert_units: [{ parameters: { value: 5, from: 'km', to: 'mi' }, answer: '3.106' }] } };

  it('is kept for each version', () => {
    expect(readdirSync(fixtures)).toContain(`sdk-${sdkVersion}.zip`);
  });

  it.each(readdirSync(fixtures))('runs: %s', async (file) => {
    const bytes = readFileSync(join(fixtures, file));
    await using host = await openTrialHost({ bytes, inspected: await inspectPackage(bytes, openPackage) }, {});
    const checks = [...contributionChecks(host, samples, fixtures)];
    expect(checks.map(({ name }) => name)).toContain('tool convert_units answers');
    for (const { run } of checks) await run();
  });
});

describe.runIf(process.platform === 'linux')('the examples, installed', () => {
  let agent: AgentWithServers;
  let plugins: ReturnType<typeof pluginClient>;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-examples-'));
    agent = await startAgentWithServers();
    plugins = pluginClient(agent.service);
  }, 60_000);
  afterAll(async () => {
    await agent.stop();
    rmSync(folder, { recursive: true });
  });

  /** Packs an example with changes in one of its files. */
  const changed = async (name: string, changes: Record<string, [from: string, to: string][]>): Promise<Buffer> => {
    const project = mkdtempSync(join(folder, 'changed-'));
    cpSync(join(examples, name), project, { recursive: true });
    for (const [path, replacements] of Object.entries(changes)) {
      const file = join(project, path);
      const content = replacements.reduce(
        (text, [from, to]) => {
          expect(text).toContain(from);
          return text.replace(from, to);
        },
        readFileSync(file, 'utf8'),
      );
      writeFileSync(file, content);
    }
    return (await packPlugin(project)).bytes;
  };
  const install = async (content: Buffer) => {
    const { digest } = await plugins.inspect(content);
    return (await plugins.install(content, `?digest=${digest}&consent=true`)).runtime;
  };
  /** Sends a message and waits for its end. @returns what was sent meanwhile, and its trace */
  const ask = async (text: string) => {
    agent.platform.sent.length = 0;
    const event = messageEvent(text, { session_id: 'ada', sender_id: 'ada' });
    const { uuid = '' } = (await agent.platform.adapters.at(-1)?.context.receive(event)) ?? {};
    const explained = await agent.explained(uuid);
    const sent = agent.platform.sent.map(({ message_chain }) =>
      message_chain.map((element) => (element.type === 'Plain' ? element.text : element.type)).join(''),
    );
    return { ...explained, sent };
  };
  const left = async () => {
    const { database, config } = agent.service;
    const stored = await database.selectFrom('plugins').select('id').execute();
    const values = await database.selectFrom('plugin_values').select('key').execute();
    const data = join(config.dataDir, 'plugins');
    const files = existsSync(data)
      ? readdirSync(data, { recursive: true }).filter((path) => /\.(js|json)$/.test(String(path)))
      : [];
    return { stored, values, files, processes: pluginProcessesOf(config.dataDir) };
  };

  it('are installed with consent', async () => {
    for (const name of names) {
      const { bytes } = await packPlugin(join(examples, name));
      expect(await install(bytes)).toMatchObject({ exception: null, result: { state: 'enabled' } });
    }
    await agent.send('PUT', '/plugins/example/http-engine/config', { server: search.address, key });
  }, 60_000);

  it('convert units, for a model and as a command', async () => {
    agent.nextCall('convert_units', { value: 5, from: 'km', to: 'mi' });
    const { tool_calls, sent } = await ask('How far is that?');
    expect(tool_calls).toMatchObject([{ state: 'succeeded', result: '5 km = 3.10686 mi' }]);
    expect(sent.join('')).toContain('Done.');
    expect((await ask('!convert 1 lb g')).sent).toEqual(['1 lb = 453.592 g']);
  }, 60_000);

  it('moderate messages and answers', async () => {
    const word = { endpoint: 'add', method: 'POST', body: { word: 'grumpy' } };
    await agent.send('POST', '/plugins/example/moderator/pages/words/requests', word);
    const stopped = await ask('What a Grumpy bear');
    expect(stopped.sent).toEqual(['This message has a word that is not allowed here.']);
    agent.model.behave({ kind: 'answer', chunks: ['You are ', 'GRUMPY today.'] });
    expect((await ask('How am I?')).sent).toEqual(['You are ****** today.']);
    const count = { plugin_id: 'example/moderator', key: 'count/grumpy', value: '2' };
    const { database } = agent.service;
    const stored = database
      .selectFrom('plugin_values')
      .select(['plugin_id', 'key', 'value'])
      .where('key', '=', count.key);
    expect(await stored.execute()).toEqual([count]);
  }, 60_000);

  it('parse a calendar and search it over HTTP', async () => {
    const client = new KnowledgeClient(agent.service, (await agent.service.createApiKey()).key);
    const base = await client.createBase({ knowledge_engine_plugin_id: 'example/http-engine' });
    const file = readFileSync(join(examples, 'calendar-parser/samples/festival.ics'));
    await client.attach(base, 'festival.ics', file);
    expect(await client.settled(base)).toMatchObject([{ file_name: 'festival.ics', status: 'completed' }]);
    const { results } = await client.ok('POST', `${base}/retrieve`, { query: 'lighthouse' });
    expect(results).toMatchObject([{ content: [{ text: 'Registration at the lighthouse.' }] }]);
    await client.ok('DELETE', base);
    await expect.poll(() => [...search.collections], patience).toEqual([]);
  }, 60_000);

  it('wait with an update that asks for more, and run on', async () => {
    const update = await changed('moderator', {
      'manifest.ts': [
        ["version: '1.0.0'", "version: '1.1.0'"],
        ['storage: true', 'storage: true, reply: true'],
      ],
      'main.ts': [['if (found.length === 0) return;', "if (found.length === 0) return await host.reply('Checked.');"]],
    });
    expect((await plugins.install(update)).runtime.result).toMatchObject({ state: 'waiting' });
    agent.model.behave({ kind: 'answer', chunks: ['Fine.'] });
    expect((await ask('And now?')).sent).toEqual(['Fine.']);
    const { update: waiting } = await plugins.details('example/moderator');
    expect(waiting.differences.permissions.added).toMatchObject([{ kind: 'reply' }]);
    expect((await plugins.call('POST', '/example/moderator/consent', { digest: waiting.digest })).status).toBe(200);
    expect((await ask('And now?')).sent).toEqual(['Checked.', 'Fine.']);
  }, 60_000);

  it('keep a version when the next one crashes at its start', async () => {
    const crashing = await changed('moderator', {
      'manifest.ts': [
        ["version: '1.0.0'", "version: '1.2.0'"],
        ['storage: true', 'storage: true, reply: true'],
      ],
      'main.ts': [['export default definePlugin', 'process.exit(3);\nexport default definePlugin']],
    });
    expect((await install(crashing)).exception).toContain('ended while it started');
    expect(await plugins.details('example/moderator')).toMatchObject({ installed: { version: '1.1.0' }, update: null });
    expect((await ask('grumpy')).sent).toEqual(['This message has a word that is not allowed here.']);
  }, 60_000);

  it('leave nothing when they are removed', async () => {
    expect((await left()).stored).toHaveLength(names.length);
    for (const name of names) {
      const removal = await plugins.call('DELETE', `/example/${name}?delete_data=true`);
      expect((await plugins.ended(removal)).runtime.exception).toBeNull();
    }
    await expect.poll(left, patience).toEqual({ stored: [], values: [], files: [], processes: [] });
  }, 60_000);

  it('are packed, installed and removed by the command line', async () => {
    const admin = (await agent.service.createApiKey(['read', 'write', 'send', 'admin'])).key;
    const parley = async (...args: string[]) => {
      const ended = await runParley(['plugin', ...args], { environment: { PARLEY_API_KEY: admin } });
      expect(ended.code, ended.stderr).toBe(0);
      return ended;
    };
    const file = join(folder, 'units.zip');
    const server = ['--url', agent.service.address];
    await parley('pack', join(examples, 'unit-converter'), '--out', file);
    expect((await parley('install', file, '--consent', ...server)).stderr).toContain('installed and enabled');
    expect((await parley('list', ...server)).stdout).toContain('example/unit-converter');
    expect((await ask('!convert 1 km m')).sent).toEqual(['1 km = 1000 m']);
    await parley('remove', 'example/unit-converter', '--delete-data', ...server);
    await expect.poll(left, patience).toEqual({ stored: [], values: [], files: [], processes: [] });
  }, 60_000);
});
