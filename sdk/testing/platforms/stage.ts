import { setTimeout as delay } from 'node:timers/promises';
import { Clone, Default } from 'typebox/value';
import { isSecret } from '../../src/config-schema.ts';
import { DeliveryError } from '../../src/delivery-error.ts';
import type { MessageChain } from '../../src/message-chain.ts';
import type { MessageEvent } from '../../src/message-event.ts';
import type {
  MessageStream,
  OutgoingMessage,
  Platform,
  PlatformAdapter,
  PlatformContext,
  PlatformTestContext,
  SentMessage,
} from '../../src/platform.ts';
import type { PlatformTest } from '../../src/platform-account.ts';
import type { PlatformCapabilities } from '../../src/platform-capabilities.ts';
import type { LoginStep } from '../../src/platform-login.ts';
import { type FakePlatformContext, fakePlatformContext } from '../fake-platform-context.ts';
import { AdapterLife } from './adapter-life.ts';
import {
  type FakeChat,
  type FakeMessage,
  type FakePlatform,
  NotOfThisPlatform,
  type PlatformHost,
  type ShownMessage,
} from './fake-platform.ts';
import { outgoingMessage, plain, Question, RecordedProgress, readFailure } from './outgoing.ts';
import type { PlatformFacts } from './platform-facts.ts';
import { ResourceWatch } from './resource-watch.ts';

export interface StageOptions {
  platform: Platform;
  fake(): Promise<FakePlatform>;
  host: PlatformHost;
  /** Fields of the configuration over those of the fake. */
  config?: (() => Record<string, unknown> | Promise<Record<string, unknown>>) | undefined;
  /** Changes of the context. */
  context?: Partial<PlatformContext>;
  /** How long a condition is waited for, milliseconds. Default 10,000: a busy machine may stand still for seconds. */
  patienceMs?: number | undefined;
}

const defaultPatienceMs = 10_000;

/** How long an HTTP client takes to see that an idle connection is closed, milliseconds. Nothing else tells. */
const noticeMs = 300;

/** Errors of the adapter that are searched for secrets. */
const keptErrors = 1000;

/** How an answer is sent. */
export interface SendOptions {
  /** Default: the chat of the question, or the person. */
  to?: FakeChat;
  /** Default: a new one where the platform takes nothing else; null for none. */
  question?: Question | null;
  progress?: RecordedProgress;
}

/** What a case works with: a platform on its fake, and the adapter between that and the service. */
export class Stage {
  readonly facts: PlatformFacts;
  readonly fake: FakePlatform;
  readonly context: FakePlatformContext;
  readonly config: Record<string, unknown>;
  /** What the adapter logged: level, fields, text. */
  readonly logs: unknown[][] = [];
  /** Content for addresses in messages. Others are fetched as the service does. */
  readonly content = new Map<string, Uint8Array>();
  /** What happens before the service stores a message. */
  store: () => Promise<void> = async () => undefined;
  /** What happens between storing it and telling the adapter. */
  stored: () => Promise<void> = async () => undefined;
  readonly #options: StageOptions;
  readonly #watch = new ResourceWatch();
  readonly #lives: AdapterLife[] = [];
  readonly #errors: unknown[] = [];
  #served: { url: string; close(): Promise<void> } | null = null;
  #connected: AdapterLife | null = null;

  private constructor(options: StageOptions, facts: PlatformFacts, fake: FakePlatform, config: Stage['config']) {
    this.#options = options;
    this.facts = facts;
    this.fake = fake;
    this.config = config;
    this.context = this.#createContext();
  }

  static async open(options: StageOptions): Promise<Stage> {
    const { platform, host } = options;
    const implementation = await platform.load();
    const fake = await options.fake();
    try {
      const given = { ...fake.config(), ...(await options.config?.()) };
      const config = Default(platform.config, Clone(given)) as Record<string, unknown>;
      const capabilities = platform.capabilitiesOf?.(config) ?? platform.capabilities;
      const receives = platform.receives?.(config) ?? 'connection';
      const stage = new Stage(options, { platform, implementation, capabilities, receives }, fake, config);
      const served = await host.serve({
        verifyAddress: async (request) => (await implementation.verifyAddress?.(config, request)) ?? null,
        adapter: () => stage.#connected?.adapter ?? null,
      });
      stage.#served = served;
      stage.context.webhook_url = served.url;
      fake.enterAddress({ url: served.url });
      return stage;
    } catch (error) {
      await fake.close();
      throw error;
    }
  }

  get capabilities(): PlatformCapabilities {
    return this.facts.capabilities;
  }

  /** The adapter that was created last. */
  get adapter(): PlatformAdapter {
    return this.#life.adapter;
  }

  /** Attempts of the adapter to reach the platform. */
  get attempts(): number {
    return this.#life.attempts;
  }

  /** Messages that the service stored, repeats left out. */
  get messages(): MessageEvent[] {
    const ids = this.context.received.map(({ platform_message_id }) => platform_message_id);
    return this.context.received.filter((_, index) => ids.indexOf(ids[index] as string) === index);
  }

  get #life(): AdapterLife {
    return this.#lives.at(-1) ?? this.create();
  }

  /** A further adapter, which takes the place of the last one. */
  create(): AdapterLife {
    const life = this.#createLife(this.config, this.context);
    this.#lives.push(life);
    return life;
  }

  #createLife(config: Stage['config'], context: PlatformContext): AdapterLife {
    const { host } = this.#options;
    const fetchContent = this.#fetchContent(host.clients(config).fetchContent);
    return new AdapterLife({
      implementation: this.facts.implementation,
      config,
      context,
      clients: { ...host.clients(config), fetchContent, listen: host.listen },
      watch: this.#watch,
      failed: (error) => void (this.#errors.length < keptErrors && this.#errors.push(error)),
      settled: async () => this.fake.settled?.(),
    });
  }

  #testContext(signal: AbortSignal): PlatformTestContext {
    const { fetch, openSocket } = this.#options.host.clients(this.config);
    return { fetch, openSocket, webhook_url: this.context.webhook_url, signal };
  }

  async start(): Promise<PlatformAdapter> {
    const life = this.#life;
    await life.adapter.start();
    this.#connected = life;
    return life.adapter;
  }

  /** Learns the account of the bot, then creates an adapter that takes requests without being started. */
  async receive(): Promise<PlatformAdapter> {
    const started = await this.start();
    const id = started.accountId?.() ?? null;
    this.context.account = id === null ? null : { id, profile: started.accountProfile?.() ?? null };
    await this.stop();
    this.context.reports.length = 0;
    this.#connected = this.create();
    return this.#connected.adapter;
  }

  async stop(): Promise<void> {
    this.#connected = null;
    await this.#lives.at(-1)?.adapter.stop();
  }

  /** Stops the adapter and starts another one with its state. */
  async restart(): Promise<PlatformAdapter> {
    await this.stop();
    this.create();
    return this.start();
  }

  /** Ends the adapter as a crash of the process does, and starts another one with its state. */
  async crash(): Promise<PlatformAdapter> {
    this.#connected = null;
    this.#life.crash();
    // What it had taken may not have been stored.
    this.context.usedIds.clear();
    this.create();
    return this.start();
  }

  /** The platform is gone, and the idle connections of HTTP clients have noticed. */
  async goAway(): Promise<void> {
    await this.fake.goAway();
    await delay(noticeMs);
  }

  /** Lets time pass in which nothing should happen, milliseconds. Only to show that something does not happen. */
  async pass(milliseconds: number): Promise<void> {
    await delay(milliseconds);
  }

  /** An adapter for another account of the same fake, which receives into a context of its own. */
  createOther(): PlatformAdapter {
    const config = Default(this.facts.platform.config, Clone({ ...this.config, ...this.fake.otherConfig() }));
    const webhook_url = `${this.context.webhook_url}/other`;
    return this.#createLife(config as Stage['config'], fakePlatformContext({ webhook_url })).adapter;
  }

  /** Tests the connection. */
  test(): Promise<PlatformTest> {
    const { implementation } = this.facts;
    if (implementation.test === undefined) throw new NotOfThisPlatform('connection tests');
    return implementation.test(this.config, this.#testContext(AbortSignal.timeout(5000)));
  }

  /** Signs in. */
  login(signal: AbortSignal): AsyncIterable<LoginStep> {
    const { implementation } = this.facts;
    if (implementation.login === undefined) throw new NotOfThisPlatform('signing in');
    return implementation.login(this.config, this.#testContext(signal));
  }

  /** Waits for a condition. @param what it means, for the failure */
  async until(condition: () => boolean, what: string): Promise<void> {
    const { patienceMs = defaultPatienceMs } = this.#options;
    const end = performance.now() + patienceMs;
    while (!condition()) {
      if (performance.now() > end) throw new Error(`Not in time: ${what}`);
      await delay(2);
    }
  }

  /** A user writes. @returns the event that the service received */
  async ask(message: FakeMessage = {}): Promise<Question> {
    const { received } = this.context;
    const before = received.length;
    const { id } = await this.fake.deliver(message);
    const found = () => received.slice(before).find((event) => event.platform_message_id.includes(id));
    await this.until(() => found() !== undefined, 'the message of the user is received');
    return new Question(found() as MessageEvent, id);
  }

  /** Whether the platform takes messages without a question. */
  get isUnsolicitedFree(): boolean {
    return ['any', 'known'].includes(this.capabilities.proactive) && this.capabilities.reply_context !== true;
  }

  /** A message on its way out, with the context of its question as long as there is one. */
  async outgoing(content: string | MessageChain, { to, question }: SendOptions = {}): Promise<OutgoingMessage> {
    const chat = to ?? (question ? chatOf(question.event) : this.fake.person());
    const asked = question === undefined && !this.isUnsolicitedFree ? await this.ask({ chat }) : (question ?? null);
    const reply = asked?.reply(this.fake.now()) ?? null;
    if (this.capabilities.proactive === 'none' && reply?.context === undefined) {
      throw new DeliveryError('refused', 'reply_expired', 'As the service does');
    }
    return outgoingMessage(typeof content === 'string' ? plain(content) : content, chat, reply);
  }

  /** Sends a message in one attempt. */
  async send(content: string | MessageChain, options: SendOptions = {}): Promise<SentMessage> {
    const message = await this.outgoing(content, options);
    return this.adapter.send(message, options.progress ?? new RecordedProgress());
  }

  /** Repeats a call as long as it certainly did not reach the platform. */
  async repeat<Result>(call: () => Promise<Result>): Promise<Result> {
    const { patienceMs = defaultPatienceMs } = this.#options;
    for (const end = performance.now() + patienceMs; ; await delay(5)) {
      try {
        return await call();
      } catch (error) {
        if (readFailure(error).kind !== 'not_sent' || performance.now() > end) throw error;
      }
    }
  }

  /** Starts to stream an answer. @param message of a former attempt */
  async stream(message: OutgoingMessage, progress = new RecordedProgress()): Promise<MessageStream> {
    const { message_chain: _, ...head } = message;
    const stream = await this.adapter.stream?.(head, progress);
    if (stream === undefined) throw new NotOfThisPlatform('streams with this configuration');
    return stream;
  }

  /** Sends an answer in as many messages as the adapter splits it into. */
  async answer(text: string, options: SendOptions = {}): Promise<void> {
    const parts = this.facts.implementation.split?.(plain(text), this.config) ?? [plain(text)];
    for (const part of parts) await this.send(part, options);
  }

  /** Messages of the bot as users see them, in one chat or all. */
  shown(chat?: FakeChat): readonly ShownMessage[] {
    const key = chat && keyOf(chat);
    return this.fake.sent().filter((message) => key === undefined || keyOf(message.chat) === key);
  }

  texts(chat?: FakeChat): string[] {
    return this.shown(chat).map(({ text }) => text);
  }

  /** A thread of the platform. @throws NotOfThisPlatform */
  thread(): FakeChat {
    const thread = this.fake.thread();
    if (thread === null) throw new NotOfThisPlatform('threads');
    return thread;
  }

  /** Ends everything. @throws Error for what a case need not look at: violations, leaks, left resources */
  async close(): Promise<void> {
    try {
      this.#connected = null;
      for (const life of this.#lives) await life.adapter.stop();
      const used = this.#lives.reduce((sum, life) => sum + life.openSockets, 0);
      if (used > 0)
        await this.until(() => this.#lives.every(({ openSockets }) => openSockets === 0), 'no socket is left');
      await this.until(() => this.#watch.timers === 0, 'no timer is left');
      this.#check();
    } finally {
      this.#watch.end();
      await this.fake.close();
      await this.#served?.close();
    }
  }

  #check(): void {
    const faults = [
      ...this.fake.violations().map((violation) => `violation of the protocol: ${violation}`),
      ...this.#watch.foreign.map((type) => `a connection that is not made with a client of the context: ${type}`),
      ...this.#leaks(),
    ];
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }

  /** Secrets in what operators and other programs get to see. */
  #leaks(): string[] {
    const fields = Object.entries(this.facts.platform.config.properties);
    const given = fields.flatMap(([name, schema]) => (isSecret(schema) ? [String(this.config[name] ?? '')] : []));
    const secrets = [...given, ...(this.fake.secrets?.() ?? [])].filter((secret) => secret.length >= 6);
    const places = { log: this.logs, error: this.#errors, report: this.context.reports };
    return Object.entries(places).flatMap(([place, entries]) => {
      const text = JSON.stringify(entries, readable);
      return secrets.some((secret) => text.includes(JSON.stringify(secret).slice(1, -1)))
        ? [`a secret in a ${place}`]
        : [];
    });
  }

  #createContext(): FakePlatformContext {
    const log = (level: string) => (fields: object, message: string) => void this.logs.push([level, fields, message]);
    const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
    const context = fakePlatformContext({ logger, ...this.#options.context });
    const { receive, receiveNotice } = context;
    context.receive = async (event, state) => {
      await this.store();
      const receipt = await receive(event, state);
      await this.stored();
      return receipt;
    };
    context.receiveNotice = async (notice) => {
      await this.store();
      return receiveNotice(notice);
    };
    return context;
  }

  #fetchContent(fetchContent: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const known = this.content.get(String(input));
      return known === undefined ? fetchContent(input, init) : new Response(known as Uint8Array<ArrayBuffer>);
    };
  }
}

export function chatOf({ session_type, session_id, thread_id = '' }: MessageEvent): FakeChat {
  return { session_type, session_id, thread_id };
}

function keyOf({ session_type, session_id, thread_id }: FakeChat): string {
  return JSON.stringify([session_type, session_id, thread_id]);
}

function readable(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { ...value, message: value.message, stack: value.stack, cause: value.cause };
}
