import fc from 'fast-check';
import { mask } from '../../src/lib/mask.ts';
import type { TestAnswer, TestService } from './start-test-service.ts';

export const resourceKinds = ['provider', 'llm', 'embedding', 'rerank', 'pipeline', 'bot', 'webhook', 'key'] as const;
export type ResourceKind = (typeof resourceKinds)[number];

export const urls: Record<ResourceKind, string> = {
  provider: '/api/v1/provider/providers',
  llm: '/api/v1/provider/models/llm',
  embedding: '/api/v1/provider/models/embedding',
  rerank: '/api/v1/provider/models/rerank',
  pipeline: '/api/v1/pipelines',
  bot: '/api/v1/platform/bots',
  webhook: '/api/v1/webhooks',
  key: '/api/v1/apikeys',
};

/** A command; it needs only the existing records. */
export interface Command {
  verb: 'create' | 'update' | 'delete' | 'copy' | 'default';
  kind: ResourceKind;
  /** Choose among the records that there are. */
  pick: number;
  second: number;
  /** Name a record that may be gone, or one that never was. */
  stale: boolean;
  /** Something in the request is wrong. */
  wrong: boolean;
  flag: boolean;
  secret: 'first' | 'second' | 'masked' | 'none';
}

const verbs = { create: 5, update: 5, delete: 3, copy: 1, default: 1 };
const kinds = { provider: 3, llm: 3, embedding: 1, rerank: 1, pipeline: 4, bot: 5, webhook: 1, key: 1 };

type Body = Record<string, unknown> & { provider?: { requester: string; base_url: string; api_keys: string[] } };

const weighted = <Name extends string>(weights: Record<Name, number>) =>
  fc.oneof(
    ...Object.entries<number>(weights).map(([name, weight]) => ({ weight, arbitrary: fc.constant(name as Name) })),
  );
const seldom = weighted({ no: 9, yes: 1 }).map((answer) => answer === 'yes');

/** Steps, one after the other, of commands that are sent at the same time. */
export const anySteps = fc.array(
  fc.array(
    fc.record<Command>({
      verb: weighted(verbs),
      kind: weighted(kinds),
      pick: fc.nat(50),
      second: fc.nat(50),
      stale: seldom,
      wrong: seldom,
      flag: fc.boolean(),
      secret: fc.constantFrom('first', 'second', 'masked', 'none'),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  { minLength: 3, maxLength: 15 },
);

const command = (verb: Command['verb'], kind: ResourceKind, more: Partial<Command> = {}): Command => ({
  verb,
  kind,
  pick: 0,
  second: 0,
  stale: false,
  wrong: false,
  flag: true,
  secret: 'first',
  ...more,
});

/** Steps that do everything there is to do with each kind of record, well and badly. */
export const everything: Command[][] = [
  // A pipeline that named a model could not be made before the model.
  resourceKinds.map((kind) => command('create', kind, { flag: kind !== 'pipeline' })),
  resourceKinds.map((kind) => command('create', kind, { wrong: true, flag: kind !== 'provider' })),
  [command('update', 'pipeline', { pick: 1, second: 0 }), command('copy', 'pipeline'), command('default', 'pipeline')],
  resourceKinds.map((kind) => command('update', kind)),
  // The second provider came with a model.
  [command('delete', 'provider', { pick: 1 }), command('delete', 'pipeline', { pick: 0 })],
  // The first language model is the one that the pipelines name.
  [command('create', 'llm', { flag: false }), command('create', 'bot', { flag: false, second: 1 })],
  [
    command('delete', 'llm', { pick: 0 }),
    command('delete', 'llm', { pick: 1 }),
    command('delete', 'pipeline', { pick: 2 }),
  ],
  (['bot', 'embedding', 'rerank', 'webhook', 'key'] as const).map((kind) => command('delete', kind, { pick: 1 })),
  (['bot', 'embedding', 'rerank', 'webhook', 'key'] as const).map((kind) => command('delete', kind, { stale: true })),
  [command('create', 'provider'), command('delete', 'provider', { pick: 50 })],
  // The rules of a bot name every pipeline that there is, and then none.
  [command('create', 'bot', { pick: 3, second: 2, flag: false })],
  [0, 1, 2].map((pick) => command('delete', 'pipeline', { pick })),
  [command('update', 'bot', { pick: 3, wrong: true, flag: false }), command('update', 'bot', { pick: 1 })],
  // More than there may be, at once.
  Array.from({ length: 6 }, () => command('create', 'bot', { second: 1 })),
  Array.from({ length: 6 }, () => command('create', 'pipeline', { flag: false })),
];

export const secretTexts = { first: 'sk-first-0123456789-abcd', second: 'sk-second-0123456789-wxyz' };
const never = '00000000-0000-7000-8000-000000000000';

function secretOf({ secret }: Command): string[] {
  if (secret === 'none') return [];
  return [secret === 'masked' ? mask(secretTexts.first) : secretTexts[secret]];
}

/** Sends commands and remembers which records there have to be afterwards. */
export class ResourceWorld {
  readonly #service: TestService;
  readonly #created = new Map<ResourceKind, string[]>();
  readonly #gone = new Set<string>();
  /** Addresses of providers that came with a model that was accepted. */
  readonly #madeWithModel = new Set<string>();
  #addresses = 0;

  constructor(service: TestService) {
    this.#service = service;
  }

  /** The records that have to be there. */
  alive(kind: ResourceKind): string[] {
    return (this.#created.get(kind) ?? []).filter((id) => !this.#gone.has(`${kind} ${id}`)).sort();
  }

  /** @returns the records as the API lists them */
  // biome-ignore lint/suspicious/noExplicitAny: records of every kind
  async list(kind: ResourceKind): Promise<any[]> {
    const { body } = await this.#send('GET', urls[kind]);
    return Object.values<never[]>(body.data)[0] ?? [];
  }

  /** Deletes everything deletable; the rest is the initial state. */
  async reset(): Promise<void> {
    this.#created.clear();
    this.#gone.clear();
    this.#madeWithModel.clear();
    const remove = async (kind: ResourceKind, stays: (record: Record<string, unknown>) => boolean = () => false) => {
      for (const record of await this.list(kind)) {
        const id = String(record.uuid ?? record.id);
        if (stays(record)) this.#add(kind, id);
        else await this.#expect(200, 'DELETE', `${urls[kind]}/${id}`);
      }
    };
    await remove('bot', ({ adapter }) => adapter === 'websocket');
    for (const bot of this.alive('bot')) {
      await this.#expect(200, 'PUT', `${urls.bot}/${bot}`, {
        use_pipeline_uuid: null,
        pipeline_routing_rules: [],
        enable: true,
      });
    }
    await remove('pipeline', ({ is_default }) => is_default === true);
    for (const pipeline of this.alive('pipeline')) {
      await this.#expect(200, 'PUT', `${urls.pipeline}/${pipeline}`, { config: {} });
    }
    for (const kind of ['llm', 'embedding', 'rerank', 'provider', 'webhook', 'key'] as const) await remove(kind);
  }

  /** Sends the commands of one step at once. @returns what each was answered, as `verb kind: status` */
  async step(commands: readonly Command[]): Promise<string[]> {
    // Records are chosen before anything is sent.
    const requests = commands.map((command) => ({ command, ...this.#request(command) }));
    const answers = await Promise.all(
      requests.map(async ({ command, method, url, json, done }) => {
        const answer = await this.#send(method, url, json);
        if (answer.status === 200) done(answer);
        return `${command.verb} ${command.kind}: ${answer.status}`;
      }),
    );
    for (const { uuid, base_url } of await this.list('provider')) {
      if (this.#madeWithModel.has(base_url)) this.#add('provider', uuid);
    }
    return answers;
  }

  #request(command: Command): { method: string; url: string; json?: unknown; done: (answer: TestAnswer) => void } {
    const { verb, kind } = command;
    const id = this.#choose(kind, command.pick, command.stale);
    const url = `${urls[kind]}/${id}`;
    const created = ({ body: { data } }: TestAnswer) => {
      this.#add(kind, String(data.uuid ?? data.webhook?.id ?? data.key?.id));
    };
    switch (verb) {
      case 'delete':
        return { method: 'DELETE', url, done: () => void this.#gone.add(`${kind} ${id}`) };
      case 'update': {
        const json = this.#body(command);
        return { method: 'PUT', url, json, done: () => this.#expectProvider(json) };
      }
      case 'copy':
        if (kind !== 'pipeline') break;
        return { method: 'POST', url: `${url}/copy`, done: created };
      case 'default':
        if (kind !== 'pipeline') break;
        return { method: 'PUT', url: `${url}/default`, done: () => undefined };
    }
    const json = this.#body({ ...command, verb: 'create' });
    return {
      method: 'POST',
      url: urls[kind],
      json,
      done: (answer) => {
        created(answer);
        this.#expectProvider(json);
      },
    };
  }

  #body(command: Command): Body {
    const { kind, verb, pick, second, stale, wrong, flag } = command;
    const isNew = verb === 'create';
    const name = wrong && flag ? '' : `record ${pick}`;
    switch (kind) {
      case 'provider': {
        const base_url = wrong ? 'ftp://127.0.0.1' : `http://127.0.0.1:${10_000 + (second % 3)}/v1`;
        const whole = { name, requester: 'siliconflow-chat-completions', base_url, api_keys: secretOf(command) };
        return isNew || flag ? whole : { name, api_keys: secretOf(command) };
      }
      case 'llm':
      case 'embedding':
      case 'rerank':
        return { name, ...this.#place(command), ...(wrong ? { prefered_ranking: 0.5 } : {}) };
      case 'pipeline': {
        const model = (offset: number) => (flag ? this.#choose('llm', second + offset, stale) : '');
        const dify = secretOf(command).map((key) => ({ 'dify-service-api': { 'api-key': key } }));
        const agent = { model: { primary: model(0), fallbacks: [model(1), model(2)].slice(0, pick % 3) } };
        const config = { ai: { ...dify[0], 'local-agent': agent }, ...(wrong ? { nothing: {} } : {}) };
        return isNew || pick % 4 > 0 ? { name, config } : { name };
      }
      case 'bot': {
        const adapter = wrong ? 'nothing' : second % 3 === 0 ? 'failing' : 'steady';
        const [token] = secretOf(command);
        const bindings = [
          {},
          { use_pipeline_uuid: '' },
          { use_pipeline_uuid: this.#choose('pipeline', second, stale) },
        ];
        const rule = (index: number) => ({
          pipeline_uuid: this.#choose('pipeline', second + index, stale),
          // A rule that says nothing is wrong.
          ...(wrong ? {} : { mentioned: flag }),
        });
        const rules = pick % 4 === 0 ? undefined : pick % 4 === 1 ? [] : [0, 1, 2].slice(0, 1 + (second % 3)).map(rule);
        const config = token === undefined && !isNew ? {} : { adapter, adapter_config: { token: token ?? '' } };
        return {
          name,
          ...config,
          ...(isNew || pick % 2 === 0 ? { enable: flag } : {}),
          ...bindings[pick % 3],
          ...(rules === undefined ? {} : { pipeline_routing_rules: rules }),
        };
      }
      case 'webhook':
        return { name, url: wrong ? 'nowhere' : 'https://example.com/hook', enabled: flag };
      case 'key':
        return isNew ? { name, scopes: wrong ? [] : ['read'] } : { name };
    }
  }

  /** Where a model is: with a provider that there is, or with one that comes along. */
  #place(command: Command): Body {
    const { kind, second, stale, flag } = command;
    if (!flag) return { provider_uuid: this.#choose('provider', second, stale) };
    this.#addresses += 1;
    // Not every requester has models of every kind, which is found out late.
    const requester = kind !== 'llm' && stale ? 'deepseek-chat-completions' : 'siliconflow-chat-completions';
    const base_url = `http://127.0.0.2:${20_000 + this.#addresses}/v1`;
    return { provider: { requester, base_url, api_keys: secretOf(command) } };
  }

  /** A provider that came along with a model is there from now on. */
  #expectProvider({ provider }: Body): void {
    if (provider !== undefined) this.#madeWithModel.add(provider.base_url);
  }

  #choose(kind: ResourceKind, pick: number, stale: boolean): string {
    const ids = stale ? (this.#created.get(kind) ?? []) : this.alive(kind);
    return ids[pick % Math.max(1, ids.length)] ?? (kind === 'webhook' || kind === 'key' ? '2147483647' : never);
  }

  #add(kind: ResourceKind, id: string): void {
    const ids = this.#created.get(kind) ?? [];
    if (!ids.includes(id)) this.#created.set(kind, [...ids, id]);
  }

  #send(method: string, url: string, json?: unknown): Promise<TestAnswer> {
    const { token: bearer } = this.#service.account;
    return this.#service.request({ method, url, bearer, ...(json === undefined ? {} : { json }) });
  }

  async #expect(status: number, method: string, url: string, json?: unknown): Promise<void> {
    const answer = await this.#send(method, url, json);
    if (answer.status !== status) throw new Error(`${method} ${url} was answered ${answer.status} ${answer.text}`);
  }
}
