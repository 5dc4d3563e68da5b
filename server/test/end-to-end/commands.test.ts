import type { Command, MessageEvent, Runner } from '@parley/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFakePlatform, type FakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { enginesInTurns } from '../shared/looks-closely.ts';
import { messageEvent } from '../stores/ledger-records.ts';

/** A runner that writes until it is cancelled, and one that repeats its history. */
const runners: Runner[] = [
  {
    name: 'endless',
    label: { en_US: 'Endless' },
    async *answer({ signal }) {
      yield { type: 'text', text: 'Well' };
      // It may have been cancelled before it began.
      signal.throwIfAborted();
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  },
  {
    name: 'remembering',
    label: { en_US: 'Remembering' },
    async *answer({ history }) {
      yield { type: 'text', text: `I know ${history.filter(({ role }) => role === 'user').length} questions` };
    },
  },
];

/** A command of an extension, for administrators by the settings. */
const greet: Command = {
  name: 'greet',
  description: 'Greets.',
  run: ({ message, parameters }) => `${parameters.join(' ')}, ${message.sender_name}`,
};

const patience = { timeout: 10_000 };

describe.each(enginesInTurns)('commands on %s', (engine) => {
  let database: FreshDatabase | undefined;
  let service: TestService;
  let fake: FakePlatform;
  let openAi: FakeOpenAi;
  let endless: string;
  let remembering: string;
  let person = 0;
  /** Bots of the test; all have one account, so they end with it. */
  const made: string[] = [];

  beforeAll(async () => {
    if (engine === 'postgres') database = await migratedDatabase();
    openAi = await startFakeOpenAi();
    fake = createFakePlatform();
    fake.accountId = () => 'bot-1';
    service = await startTestService({
      ...(database && { databaseUrl: database.url }),
      config: { admins: ['person_root'], commandPrivileges: ['history=2', 'greet=2', 'absent=2'] },
      extensions: { platforms: [fake.platform], runners, commands: [greet] },
    });
    endless = await pipeline('Endless', { runner: { runner: 'endless' } });
    remembering = await pipeline('Remembering', { runner: { runner: 'remembering' } });
  });
  afterAll(async () => {
    await service.stop();
    await openAi.close();
    await database?.drop();
  });
  beforeEach(() => {
    person += 1;
    fake.sent.length = 0;
  });
  afterEach(async () => {
    for (const uuid of made.splice(0)) await data('DELETE', `/api/v1/platform/bots/${uuid}`);
  });

  const data = async (method: string, url: string, json?: object) => {
    const bearer = service.account.token;
    const answer = await service.request({ method, url, bearer, ...(json === undefined ? {} : { json }) });
    if (answer.status !== 200) throw new Error(`${method} ${url} was answered ${answer.status} ${answer.text}`);
    return answer.body.data;
  };
  const pipeline = async (name: string, ai: object): Promise<string> =>
    (await data('POST', '/api/v1/pipelines', { name, config: { ai } })).uuid;
  /** Creates a bot. @returns a function that sends a message to it, by default from a new user */
  const bot = async (use_pipeline_uuid: string, rules: object[] = []) => {
    const form = { name: 'Bot', adapter: 'fake', adapter_config: {}, enable: true, use_pipeline_uuid };
    made.push((await data('POST', '/api/v1/platform/bots', { ...form, pipeline_routing_rules: rules })).uuid);
    const { context } = fake.up().at(-1) ?? {};
    const id = `person-${person}`;
    return (text: string, over: Partial<MessageEvent> = {}) =>
      context?.receive(messageEvent(text, { session_id: id, sender_id: id, ...over }));
  };
  const said = () =>
    fake.sent.map(({ message_chain }) =>
      message_chain.map((element) => (element.type === 'Plain' ? element.text : element.type)).join(''),
    );
  const states = async (...texts: string[]) => {
    const rows = await service.database
      .selectFrom('messages')
      .select(['text', 'state', 'reason'])
      .where('direction', '=', 'inbound')
      .where('text', 'in', texts)
      .orderBy('position')
      .execute();
    return rows.map(({ text, state, reason }) => `${text}: ${reason ?? state}`);
  };

  it('cancel the answer that is being written and what waits for it, and tell so', async () => {
    const say = await bot(endless);
    const texts = ['one', 'two', 'three'].map((text) => `${text} of ${person}`);
    for (const text of texts) await say(text);
    await expect.poll(() => states(texts[0] ?? '')).toEqual([`${texts[0]}: processing`]);
    await say('!cancel');
    await expect.poll(said, patience).toEqual(['Cancelled. 3 messages will not be answered.']);
    expect(await states(...texts)).toEqual(texts.map((text) => `${text}: cancelled`));
    await say('!cancel');
    await expect.poll(said, patience).toContain('Nothing was in progress.');
  });

  it('reset a conversation, so that the next message begins another at once', async () => {
    const say = await bot(remembering);
    await say('one');
    await expect.poll(said, patience).toEqual(['I know 0 questions']);
    await say('two');
    await expect.poll(said, patience).toContain('I know 1 questions');
    fake.sent.length = 0;
    await say('!reset');
    await say('three');
    await expect.poll(() => said().sort(), patience).toEqual(['I know 0 questions', 'The conversation was reset.']);
    await say('four');
    await expect.poll(said, patience).toContain('I know 1 questions');
  });

  it('may come from an extension, with the privilege that the settings name', async () => {
    const say = await bot(remembering);
    await say('!greet Good day');
    await expect.poll(said, patience).toEqual(['You may not give this command.']);
    await say('!greet Good day', { sender_id: 'root', sender_name: 'Ada' });
    await expect.poll(said, patience).toContain('Good day, Ada');
  });

  it('have another model answer in one conversation', async () => {
    const requester = 'openai-chat-completions';
    const provider = { name: 'P', requester, base_url: openAi.base_url, api_keys: ['sk-0123456789abcdef'] };
    const { uuid: provider_uuid } = await data('POST', '/api/v1/provider/providers', provider);
    const model = async (name: string): Promise<string> =>
      (await data('POST', '/api/v1/provider/models/llm', { name, provider_uuid })).uuid;
    const [primary, fallback] = [await model('quick'), await model('good')];
    const say = await bot(
      await pipeline('Two models', { 'local-agent': { model: { primary, fallbacks: [fallback] } } }),
    );
    const asked = async (text: string, over: Partial<MessageEvent> = {}) => {
      const before = fake.sent.length;
      await say(text, over);
      await expect.poll(() => fake.sent.length, patience).toBe(before + 1);
      return (openAi.requests.at(-1)?.body as { model?: string } | undefined)?.model;
    };
    expect(await asked('Hello')).toBe('quick');
    await asked('!model GOOD');
    expect(said().at(-1)).toBe('good answers in this conversation now.');
    expect([await asked('Hello'), await asked('Hello', { session_id: 'other', sender_id: 'other' })]).toEqual([
      'good',
      'quick',
    ]);
    await asked('!status');
    expect(said().at(-1)).toContain('Pipeline: Two models\nModel: good\n');
    await asked('!model');
    expect(said().at(-1)).toBe('1. quick\n2. good (answers)');
    await asked('!model default');
    expect(await asked('Hello')).toBe('quick');
  });

  it('are given to those who may', async () => {
    const say = await bot(remembering);
    await say('!history');
    await expect.poll(said, patience).toEqual(['You may not give this command.']);
    await say('!history', { session_id: 'root', sender_id: 'root' });
    await expect.poll(said, patience).toContain('This conversation has no messages yet.');
    const reasons = async () => {
      const ofCommand = service.database.selectFrom('messages').select('reason').where('text', '=', '!history');
      return (await ofCommand.orderBy('position').execute()).map(({ reason }) => reason);
    };
    await expect.poll(reasons).toEqual(['command_denied', 'command']);
  });

  it('act on the conversation that goes on, whichever rule of the bot led there', async () => {
    const say = await bot(remembering, [{ pipeline_uuid: endless, keywords: ['invoice'] }]);
    await say('Hello');
    await expect.poll(said, patience).toEqual(['I know 0 questions']);
    const text = `My Invoice ${person}`;
    await say(text);
    await expect.poll(() => states(text)).toEqual([`${text}: processing`]);
    await say('!stop');
    await expect.poll(said, patience).toEqual(['I know 0 questions', 'Cancelled.']);
    expect(await states(text)).toEqual([`${text}: cancelled`]);
    await say('Hello');
    await expect.poll(said, patience).toContain('I know 1 questions');
  });

  it('in a group end what others asked only for those who administer it', async () => {
    const say = await bot(endless);
    const inGroup = (sender_id: string, text: string, owner = false) =>
      say('', {
        session_type: 'group',
        session_id: `group-${person}`,
        sender_id,
        facts: owner ? { sender_permission: 'OWNER' } : {},
        message_chain: [
          { type: 'At', target: 'bot-1' },
          { type: 'Plain', text: ` ${text}` },
        ],
      });
    await inGroup('ada', `one of group ${person}`);
    const first = `@bot-1 one of group ${person}`;
    await expect.poll(() => states(first)).toEqual([`${first}: processing`]);
    await inGroup('bob', '!cancel');
    expect(await states(first)).toEqual([`${first}: processing`]);
    await inGroup('eve', '!cancel', true);
    await expect.poll(() => states(first), patience).toEqual([`${first}: cancelled`]);
  });
});
