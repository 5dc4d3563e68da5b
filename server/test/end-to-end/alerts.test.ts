import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '../../src/lib/uuid.ts';
import type { Engine } from '../../src/storage/engine.ts';
import { createFakePlatform, type FakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { type MailServer, startMailServer } from '../fakes/mail-server.ts';
import { answerWith, startWebhookReceiver, type WebhookReceiver } from '../fakes/webhook-receiver.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { enginesInTurns } from '../shared/looks-closely.ts';
import { insertMessage } from '../stores/insert-message.ts';

const password = 'a-secret-for-the-mail-server';
const chatBot = newUuid();
const watchedBot = newUuid();
const base = newUuid();
const url = '/api/v1/alerts';

const kinds = {
  bot_offline: { bot_uuid: watchedBot },
  error_rate: { minimum_count: 4, percent: 50 },
  waiting_messages: { minimum_count: 1, age_minutes: 1 },
  uncertain_messages: { minimum_count: 1 },
  cost: { amount: 5 },
  failed_documents: { minimum_count: 1 },
};
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];

describe.each(enginesInTurns)('alerts on %s', (engine: Engine) => {
  let fake: FakePlatform;
  let other: FakePlatform;
  let fresh: FreshDatabase | undefined;
  let dataDir: string;
  let service: TestService;
  let apiKey: string;
  let mail: MailServer;
  let receiver: WebhookReceiver;
  let hookSecret: string;
  let isOffline: boolean;
  let targets: Record<'email' | 'webhook' | 'chat', string>;

  const start = async (isFirst: boolean) => {
    service = await startTestService({
      config: { dataDir },
      ...(fresh && { databaseUrl: fresh.url }),
      extensions: {
        platforms: [fake.platform, other.platform],
        alertTiming: { intervalMs: 50, retryDelayMs: 50 },
      },
      account: isFirst,
      ...(isFirst && {
        bots: [
          { uuid: chatBot, adapter: 'fake', name: 'Chat' },
          { uuid: watchedBot, adapter: 'other', name: 'Watched' },
        ],
      }),
    });
  };
  /** Ends the service and starts another one with the same data. */
  const restart = async () => {
    await service.service.stop();
    await service.database.destroy();
    await start(false);
  };
  const send = async (method: string, path: string, json?: object) => {
    const answer = await service.request({ method, url: `${url}${path}`, apiKey, ...(json && { json }) });
    expect([method, path, answer.status, answer.text]).toEqual([method, path, 200, expect.anything()]);
    return answer.body.data;
  };
  const emailConfig = (over: object = {}) => ({
    host: mail.host,
    port: mail.port,
    encryption: 'none',
    user: 'parley',
    password,
    from: 'parley@example.com',
    to: ['ann@example.com', 'bob@example.com'],
    ...over,
  });
  const createTarget = async (kind: string, config: object, language = 'en') =>
    (await send('POST', '/targets', { name: `By ${kind}`, kind, language, config })).target;
  const alerts = async () => (await send('GET', '?limit=200')).alerts;
  const eventually = (actual: () => unknown) => expect.poll(actual, { timeout: 20_000 });
  /** Time for several rounds of everything. */
  const rounds = () => new Promise((resolve) => setTimeout(resolve, 600));
  const chats = () => fake.sent.map(({ message_chain }) => String((message_chain[0] as { text?: string }).text));

  beforeEach(async () => {
    fake = createFakePlatform();
    other = createFakePlatform({ name: 'other' });
    isOffline = false;
    other.start = async () => {
      if (isOffline) throw new Error('no connection');
    };
    fresh = engine === 'postgres' ? await migratedDatabase() : undefined;
    dataDir = mkdtempSync(join(tmpdir(), 'parley-alerts-'));
    mail = await startMailServer(password);
    receiver = await startWebhookReceiver();
    await start(true);
    apiKey = (await service.createApiKey(['admin', 'read', 'write'])).key;
    const webhook = await createTarget('webhook', { url: receiver.url });
    hookSecret = webhook.secret;
    targets = {
      email: (await createTarget('email', emailConfig())).uuid,
      webhook: webhook.uuid,
      chat: (await createTarget('chat', { bot_uuid: chatBot, target_id: 'ann' })).uuid,
    };
  });
  afterEach(async () => {
    await service.stop();
    await fresh?.drop();
    await mail.close();
    await receiver.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const createRules = async (wanted: readonly Kind[] = names) => {
    for (const kind of wanted) {
      const rule = { name: kind, kind, parameters: kinds[kind], targets: Object.values(targets) };
      await send('POST', '/rules', rule);
    }
  };
  const reconnect = async () => {
    for (const enable of [false, true]) {
      await service.request({ method: 'PUT', url: `/api/v1/platform/bots/${watchedBot}`, apiKey, json: { enable } });
    }
  };
  /** Makes the condition of every rule hold. */
  const breakThings = async () => {
    const { database } = service;
    const now = new Date().toISOString();
    isOffline = true;
    await reconnect();
    // It waits for its bot, as others wait for a model.
    await insertMessage(database);
    await database.updateTable('messages').set({ bot_uuid: watchedBot }).execute();
    await database.updateTable('conversations').set({ bot_uuid: watchedBot }).execute();
    for (let index = 0; index < 4; index += 1) {
      const uuid = await insertMessage(database);
      const state = index === 3 ? 'uncertain' : 'failed';
      await database
        .updateTable('messages')
        .set({ state, reason: 'provider_failed', created_at: now, finished_at: now })
        .where('uuid', '=', uuid)
        .execute();
      if (index > 0) continue;
      const call = { uuid: newUuid(), message_uuid: uuid, model_uuid: null, model_name: 'm', started_at: now };
      const figures = { milliseconds: 1, first_piece_milliseconds: 1, input_tokens: 1, output_tokens: 1, cost: 7.5 };
      await database
        .insertInto('model_calls')
        .values({ ...call, ...figures, reason: null, error: null })
        .execute();
      const delivery = { message_uuid: uuid, piece: 0, state: 'uncertain' as const, idempotency_token: uuid };
      const facts = { reason: 'platform_failed' as const, error: 'no answer', created_at: now, updated_at: now };
      await database
        .insertInto('deliveries')
        .values({ ...delivery, ...facts, message_chain: null, platform_message_id: null } as never)
        .execute();
    }
    await service.request({
      method: 'POST',
      url: '/api/v1/knowledge/bases',
      apiKey,
      json: { name: 'Manuals', knowledge_engine_plugin_id: 'parley/built-in' },
    });
    const file = {
      uuid: base,
      name: 'manual.pdf',
      size: 1,
      sha256: 'x',
      media_type: 'application/pdf',
      access_key: null,
    };
    await database
      .insertInto('files')
      .values({ ...file, purpose: 'document', created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const stored = await database.selectFrom('knowledge_bases').select('uuid').executeTakeFirstOrThrow();
    await database
      .insertInto('knowledge_documents')
      .values({
        uuid: newUuid(),
        knowledge_base_uuid: stored.uuid,
        file_uuid: base,
        file_name: 'manual.pdf',
        extension: 'pdf',
        media_type: 'application/pdf',
        size: 1,
        sha256: 'x',
        parser_plugin_id: null,
        metadata: '{}',
        stage: 'failed',
        done: 0,
        total: 0,
        reason: 'document_broken',
        error: 'It is cut off.',
        warnings: '[]',
        title: null,
        page_kind: 'page',
        pages: '[]',
        chunk_count: 0,
        attempts: 1,
        task_id: null,
        created_at: now,
        updated_at: now,
        finished_at: now,
      })
      .execute();
  };
  const repairThings = async () => {
    const { database } = service;
    await database.deleteFrom('knowledge_documents').execute();
    await database.deleteFrom('model_calls').execute();
    await database.deleteFrom('deliveries').where('reason', '=', 'platform_failed').execute();
    await database.deleteFrom('messages').where('direction', '=', 'inbound').execute();
    isOffline = false;
    await reconnect();
  };
  const perRule = (texts: readonly string[], word: string) =>
    Object.fromEntries(names.map((name) => [name, texts.filter((text) => text.startsWith(`${word}: ${name}`)).length]));
  const once = Object.fromEntries(names.map((name) => [name, 1]));

  it('begin once and end once for each kind of rule, over restarts, at every kind of target', {
    timeout: 60_000,
  }, async () => {
    await createRules();
    await rounds();
    expect(await alerts()).toEqual([]);
    await breakThings();
    await eventually(() => mail.received.length).toBe(6);
    await eventually(() => receiver.received.length).toBe(6);
    await eventually(() => fake.sent.length).toBe(6);
    await restart();
    await rounds();
    expect(perRule(chats(), 'Alert')).toEqual(once);
    expect((await send('GET', '?state=open')).alerts).toHaveLength(6);

    await repairThings();
    await eventually(() => mail.received.length).toBe(12);
    await eventually(() => receiver.received.length).toBe(12);
    await eventually(() => fake.sent.length).toBe(12);
    await restart();
    await rounds();
    for (const texts of [mail.received.map(({ text }) => text), chats()]) {
      expect(perRule(texts, 'Alert')).toEqual(once);
      expect(perRule(texts, 'Resolved')).toEqual(once);
    }
    const events = receiver.received.map(
      ({ payload: { event_type, data } }) => `${event_type} ${data.alert.rule_name}`,
    );
    expect(events.sort()).toEqual(names.flatMap((name) => [`alert.started ${name}`, `alert.ended ${name}`]).sort());
    const webhook = new Webhook(hookSecret);
    for (const { body, headers } of receiver.received) webhook.verify(body, headers);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(12);
    expect(mail.received[0]).toMatchObject({
      from: 'parley@example.com',
      to: ['ann@example.com', 'bob@example.com'],
      user: 'parley',
      subject: expect.stringMatching(/^\[Parley\] Alert: /),
      id: expect.stringMatching(/^<[0-9a-f-]{36}@example\.com>$/),
    });
    const all = await alerts();
    expect(all).toHaveLength(6);
    for (const alert of all) {
      expect(alert).toMatchObject({ end_reason: 'over' });
      expect(alert.notices).toHaveLength(6);
      for (const notice of alert.notices) expect(notice).toMatchObject({ state: 'delivered', error: null });
    }
    const facts = Object.fromEntries(all.map(({ kind, facts: of }: { kind: Kind; facts: object }) => [kind, of]));
    expect(facts.failed_documents).toMatchObject({ names: ['manual.pdf'] });
    expect(facts.bot_offline).toMatchObject({ names: ['Watched'] });
    // The chat messages are stored like all others.
    const stored = await service.database
      .selectFrom('messages')
      .select('state')
      .where('direction', '=', 'outbound')
      .execute();
    expect(stored).toHaveLength(12);
  });

  it('are notified of once in spite of faults, which are shown', { timeout: 60_000 }, async () => {
    mail.refuse({ code: 451, text: `try later, ${password}` });
    receiver.behave(answerWith(500));
    fake.refuse = () => {
      throw new Error('the connection broke');
    };
    await createRules(['bot_offline']);
    isOffline = true;
    await reconnect();
    const notices = async () =>
      Object.fromEntries(
        ((await alerts())[0]?.notices ?? []).map((one: { target_kind: string; state: string; error: string }) => [
          one.target_kind,
          [one.state, one.error],
        ]),
      );
    // A send that may have arrived is not repeated.
    await eventually(notices).toEqual({
      email: ['pending', expect.stringMatching(/451 try later, …/)],
      webhook: ['pending', 'HTTP 500'],
      chat: ['uncertain', expect.stringMatching(/./)],
    });
    await restart();
    mail.refuse(null);
    receiver.behave(answerWith(200));
    fake.refuse = () => {};
    await eventually(notices).toEqual({
      email: ['delivered', null],
      webhook: ['delivered', null],
      chat: expect.anything(),
    });
    isOffline = false;
    await reconnect();
    await eventually(() => mail.received.length).toBe(2);
    await eventually(() => receiver.received.filter(({ payload }) => payload.event_type === 'alert.ended').length).toBe(
      1,
    );
    await eventually(() => chats().length).toBe(1);
    await rounds();
    expect(mail.received.map(({ subject }) => subject)).toEqual([
      '[Parley] Alert: bot_offline',
      '[Parley] Resolved: bot_offline',
    ]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2);
  });

  it('whose own bot is offline wait for it, and say so, and reach the other targets', { timeout: 60_000 }, async () => {
    const own = await createTarget('chat', { bot_uuid: watchedBot, target_id: 'ann' });
    const rule = { name: 'own', kind: 'bot_offline', parameters: {}, targets: [own.uuid, targets.email] };
    await send('POST', '/rules', rule);
    isOffline = true;
    await reconnect();
    await eventually(() => mail.received.length).toBe(1);
    const chat = async () =>
      (await alerts())[0]?.notices.filter(({ target_kind }: { target_kind: string }) => target_kind === 'chat');
    await eventually(chat).toMatchObject([{ state: 'pending', error: expect.stringMatching(/not/) }]);
    isOffline = false;
    await reconnect();
    await eventually(chat).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]);
    expect(other.sent.map(({ message_chain }) => (message_chain[0] as { text: string }).text.split('\n')[0])).toEqual([
      'Alert: own',
      'Resolved: own',
    ]);
  });

  it('are tried with a test notice, which tells what is wrong', { timeout: 60_000 }, async () => {
    for (const uuid of Object.values(targets)) {
      expect(await send('POST', `/targets/${uuid}/test`)).toEqual({ delivered: true, error: null });
    }
    expect([mail.received.length, receiver.received.length, fake.sent.length]).toEqual([1, 1, 1]);
    expect(receiver.received).toMatchObject([{ payload: { event_type: 'alert.test' } }]);
    const test = async (config: object) => {
      const { uuid } = await createTarget('email', emailConfig(config));
      return send('POST', `/targets/${uuid}/test`);
    };
    const wrong = await test({ password: 'another-password-that-is-wrong' });
    expect(wrong).toEqual({ delivered: false, error: expect.stringMatching(/Invalid login …/) });
    expect((await test({ encryption: 'starttls' })).error).toMatch(/certificate/);
    expect((await test({ encryption: 'tls' })).error).toMatch(/./);
    expect((await test({ host: '169.254.169.254' })).error).toMatch(/not an address/);
    const secure = await startMailServer(password, { secure: true });
    // No known authority signed its certificate.
    expect((await test({ encryption: 'tls', port: secure.port })).error).toMatch(/certificate/);
    expect(secure.received).toEqual([]);
    await secure.close();
    await mail.close();
    expect((await test({})).error).toMatch(/ECONNREFUSED/);
    mail = await startMailServer(password);
  });

  it('never show passwords, and keep them while the server stays', { timeout: 60_000 }, async () => {
    const { target } = await send('GET', `/targets/${targets.email}`);
    expect(target.config.password).toBe('a-s…rver');
    await send('PUT', `/targets/${targets.email}`, { ...target, name: 'Renamed' });
    expect(await send('POST', `/targets/${targets.email}/test`)).toMatchObject({ delivered: true });
    const moved = { config: { ...target.config, host: 'elsewhere.example.com' } };
    const refused = await service.request({
      method: 'PUT',
      url: `${url}/targets/${targets.email}`,
      apiKey,
      json: moved,
    });
    expect([refused.status, refused.body.reason]).toEqual([400, 'secret_required']);
    const hook = (await send('GET', `/targets/${targets.webhook}`)).target;
    expect(hook.secret).toMatch(/^whs….{4}$/);
    const { secret } = await send('POST', `/targets/${targets.webhook}/rotate-secret`);
    await send('POST', `/targets/${targets.webhook}/test`);
    const [sent] = receiver.received;
    expect(() => new Webhook(hookSecret).verify(sent?.body ?? '', sent?.headers ?? {})).toThrow();
    new Webhook(secret).verify(sent?.body ?? '', sent?.headers ?? {});
    const rows = await service.database.selectFrom('alert_targets').selectAll().execute();
    for (const text of [
      JSON.stringify(rows),
      (await service.request({ url: '/api/v1/audit?limit=50', apiKey })).text,
    ]) {
      expect(text).not.toContain(password);
      expect(text).not.toContain(secret.slice(6, 40));
    }
  });

  it('have rules that say what was deleted, and refuse what is wrong', { timeout: 60_000 }, async () => {
    const rule = { name: 'r', kind: 'bot_offline', parameters: { bot_uuid: watchedBot }, targets: [targets.email] };
    const { uuid } = (await send('POST', '/rules', rule)).rule;
    const refusals: [object, string][] = [
      [{ parameters: { bot_uuid: newUuid() } }, 'parameters.bot_uuid'],
      [{ parameters: { percent: 5 } }, 'parameters.percent'],
      [{ targets: [newUuid()] }, 'targets[0]'],
      [{ kind: 'cost', parameters: {} }, 'parameters.amount'],
      [{ kind: 'error_rate', parameters: { percent: 101 } }, 'parameters.percent'],
      [{ kind: 'weather' }, 'kind'],
      [{ minimum_minutes: -1 }, 'minimum_minutes'],
      [{ muted_until: 'tomorrow' }, 'muted_until'],
    ];
    for (const [over, path] of refusals) {
      const json = { ...rule, ...over };
      const answer = await service.request({ method: 'POST', url: `${url}/rules`, apiKey, json });
      expect([path, answer.status, answer.body.details?.[0]?.path]).toEqual([path, 400, path]);
    }
    const wrongTargets: [object, string][] = [
      [{ kind: 'webhook', config: { url: 'ftp://example.com' } }, 'config.url'],
      [{ kind: 'chat', config: { bot_uuid: newUuid(), target_id: '1' } }, 'config.bot_uuid'],
      [{ kind: 'email', config: emailConfig({ to: [] }) }, 'config.to'],
      [{ kind: 'email', config: emailConfig({ to: ['a@example.com\r\nBcc: b@example.com'] }) }, 'config.to[0]'],
      [{ kind: 'email', config: emailConfig({ host: 'http://example.com' }) }, 'config.host'],
      [{ kind: 'email', config: emailConfig({ url: 'https://example.com' }) }, 'config.url'],
    ];
    for (const [json, path] of wrongTargets) {
      const answer = await service.request({
        method: 'POST',
        url: `${url}/targets`,
        apiKey,
        json: { name: 't', ...json },
      });
      expect([path, answer.status, answer.body.details?.[0]?.path]).toEqual([path, 400, path]);
    }
    await service.request({ method: 'DELETE', url: `/api/v1/platform/bots/${watchedBot}`, apiKey });
    await send('DELETE', `/targets/${targets.email}`);
    expect((await send('GET', `/rules/${uuid}`)).rule).toMatchObject({ missing: ['bot', 'target'] });
    // Reading and writing it back still works.
    await send('PUT', `/rules/${uuid}`, (await send('GET', `/rules/${uuid}`)).rule);
    await send('DELETE', `/rules/${uuid}`);
    expect(await send('GET', '/rules')).toEqual({ rules: [] });
  });
});
