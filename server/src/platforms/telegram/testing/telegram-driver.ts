import { setTimeout as delay } from 'node:timers/promises';
import {
  type Delivered,
  type FakeChat,
  type FakeMessage,
  type FakePlatform,
  type FakeRoute,
  type Forgery,
  NotOfThisPlatform,
  type ShownMessage,
} from '@parley/sdk/testing';
import type { Update, User } from 'grammy/types';
import { answerFault } from './driver-faults.ts';
import { chats, messageFields } from './driver-messages.ts';
import type { FakeCall, SentMessage } from './fake-methods.ts';
import { type FakeTelegram, startFakeTelegram } from './fake-telegram.ts';
import { ada, forum, group, type IncomingMessage, parrot, supergroup } from './fixtures.ts';

/** What Telegram waits for an update to be confirmed before the driver says that it was not, milliseconds. */
const timeLimit = 1000;

const methods: Record<FakeRoute, string[]> = {
  any: ['*'],
  start: ['getMe'],
  token: [],
  send: ['sendMessage', 'sendPhoto', 'sendVoice', 'sendDocument'],
  edit: ['editMessageText'],
  upload: ['sendPhoto', 'sendVoice', 'sendDocument'],
  media: ['getFile'],
};

const none = (what: string) => (): never => {
  throw new NotOfThisPlatform(what);
};

/**
 * The driver of the fake Bot API server for the suite of platforms.
 * @param config of the bot, beside its credentials
 */
export async function startTelegramDriver(
  config: Readonly<Record<string, unknown>>,
  bot: User & { username: string } = parrot,
): Promise<FakePlatform> {
  const fake = await startFakeTelegram({ bot, webhookPauseMs: 10 });
  const otherBot = { ...parrot, id: 123_456_789, username: 'canary_bot' };
  const other = await startFakeTelegram({ token: '123456789:AAother-token-of_the_canary', bot: otherBot });
  for (const { id } of [ada, group, supergroup, forum]) fake.addChat(id);
  const isWebhook = config['enable-webhook'] === true;
  const written = new Map<string, IncomingMessage>();
  let offset = 0;
  const configOf = ({ token, apiBaseUrl }: FakeTelegram) => ({
    token,
    api_base_url: apiBaseUrl,
    ...config,
  });

  /** Waits until Telegram knows what became of an update. */
  async function settled(update: number, id: string): Promise<Delivered> {
    const begun = performance.now();
    const passed = () => performance.now() - begun;
    for (;;) {
      if (!fake.isPending(update)) return { id, outcome: 'acknowledged', milliseconds: passed() };
      if (fake.refusalsOf(update) > 0) return { id, outcome: 'refused', milliseconds: passed() };
      if (passed() > timeLimit) return { id, outcome: 'none', milliseconds: passed() };
      await delay(2);
    }
  }

  function write(message: FakeMessage): { id: string; fields: IncomingMessage } {
    const fields = messageFields(message, (id) => written.get(id), { fake, now: () => Date.now() + offset });
    const id = `${fields.chat.id}/${fields.message_id}`;
    written.set(id, fields);
    return { id, fields };
  }

  const messageOf = (id: string): IncomingMessage => {
    const message = written.get(id);
    if (message === undefined) throw new Error(`There is no message ${id}`);
    return message;
  };

  /** A request to the webhook. */
  async function post(body: Uint8Array, headers: Record<string, string>): Promise<Delivered['outcome']> {
    const { url = '' } = fake.webhook ?? {};
    const type = { 'content-type': 'application/json' };
    const init = { method: 'POST', body: Buffer.from(body), headers: { ...type, ...headers } };
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeLimit) }).catch(() => null);
    if (response === null) return 'none';
    await response.arrayBuffer();
    return response.ok ? 'acknowledged' : 'refused';
  }

  const secretHeader = (secret = fake.webhook?.secret ?? '') => ({ 'x-telegram-bot-api-secret-token': secret });

  async function raw(bytes: Uint8Array): Promise<Delivered['outcome']> {
    if (isWebhook) return post(bytes, secretHeader());
    // What is no JSON is no response of the Bot API, and polled again.
    const update = parsed(bytes);
    if (update === null) return 'none';
    const { update_id: _, ...fields } = update;
    return (await settled(fake.deliverUpdate(fields), '')).outcome;
  }

  async function forge(how: Forgery): Promise<Delivered['outcome'][]> {
    const body = Buffer.from(JSON.stringify({ update_id: 1, message: write({ text: 'Forged' }).fields }));
    const secret = fake.webhook?.secret ?? '';
    switch (how) {
      case 'malformed':
        return [await raw(Buffer.from('{"update_id":7,"message":"no message"}')), await raw(Buffer.from('[null]'))];
      case 'deep':
        return [await raw(Buffer.from(`{"update_id":8,"message":${'['.repeat(10_000)}${']'.repeat(10_000)}}`))];
    }
    if (!isWebhook) throw new NotOfThisPlatform('requests to the bot');
    switch (how) {
      case 'wrong_signature':
        return [await post(body, secretHeader('a'.repeat(secret.length)))];
      case 'missing_signature':
        return [await post(body, {})];
      case 'short_signature':
        return [await post(body, secretHeader(secret.slice(0, 8))), await post(body, secretHeader(''))];
      case 'of_another_bot':
        return [await post(body, secretHeader(other.token.replace(':', '-')))];
      case 'oversize':
        return [await raw(Buffer.from(`{"update_id":9,"text":"${'a'.repeat(11 * 1024 * 1024)}"}`))];
      case 'compressed_bomb':
        return [await post(Buffer.from([0x1f, 0x8b, 8, 0]), { ...secretHeader(), 'content-encoding': 'gzip' })];
      default:
        throw new NotOfThisPlatform('requests with a timestamp');
    }
  }

  const fails: FakePlatform['fail'] = (route, how, times = 1) => {
    for (const method of methods[route]) fake.fail(method, answerFault(how), times);
  };

  return {
    config: () => configOf(fake),
    otherConfig: () => configOf(other),
    accountId: String(bot.id),
    enterAddress: () => undefined,
    person: () => chats.person,
    group: () => chats.group,
    thread: () => chats.thread,
    userId: String(ada.id),
    unknownChat: () => ({ session_type: 'person', session_id: '5555', thread_id: '' }),
    deliver: async (message) => {
      const { id, fields } = write(message);
      return settled(fake.deliver(fields), id);
    },
    redeliver: async (id, { asOtherKind, overOther } = {}) => {
      if (asOtherKind) throw new NotOfThisPlatform('two kinds of event for one message');
      if (overOther) throw new NotOfThisPlatform('several connections');
      return settled(fake.deliver(messageOf(id)), id);
    },
    edit: async (id, text) => {
      const edited_message = { ...messageOf(id), text, edit_date: Math.floor(Date.now() / 1000) };
      return settled(fake.deliverUpdate({ edited_message }), id);
    },
    recall: none('recalled messages'),
    addBot: async () => {
      const member = { user: parrot, status: 'member' } as const;
      const old_chat_member = { user: parrot, status: 'left' } as const;
      const date = Math.floor(Date.now() / 1000);
      const my_chat_member = { chat: group, from: ada, date, old_chat_member, new_chat_member: member };
      return settled(fake.deliverUpdate({ my_chat_member }), '');
    },
    forge,
    verifyAddress: none('verified addresses'),
    raw,
    samples: () => {
      const { fields } = write({ text: 'A sample', mention: 'account', chat: chats.group, quotes: 'gone' });
      const updates: Update[] = [
        { update_id: 1, message: fields },
        { update_id: 2, edited_message: { ...fields, edit_date: fields.date } },
      ];
      return updates.map((update) => Buffer.from(JSON.stringify(update)));
    },
    sent: () => fake.messages.map((message) => shownOf(message, written)),
    calls: (route) => callsOf(fake, route),
    secrets: () => (fake.webhook === null ? [] : [fake.webhook.secret]),
    violations: () => fake.violations,
    fail: fails,
    limit: ({ route, pause, times = 1 }) => {
      if (pause !== 'unnamed' && !('seconds' in pause)) throw new NotOfThisPlatform('rate limits with a date');
      const parameters = pause === 'unnamed' ? {} : { parameters: { retry_after: pause.seconds } };
      const fault = { kind: 'error' as const, code: 429, description: 'Too Many Requests: retry later', ...parameters };
      for (const method of methods[route]) fake.fail(method, fault, times);
    },
    failLater: none('failures after acceptance'),
    goAway: () => fake.goAway(),
    comeBack: () => fake.comeBack(),
    halfOpen: () => fake.fallSilent(),
    askToReconnect: none('requests to connect again'),
    forgetSessions: none('sessions'),
    takeOver: () => void pollBeside(fake).catch(() => undefined),
    revoke: () => fake.revoke(),
    expireToken: none('tokens that expire'),
    connections: () => ({
      open: fake.isPolled ? 1 : 0,
      attempts: isWebhook ? 0 : fake.callsOf('getUpdates').length,
    }),
    stopAnswer: none('a stop of an answer by the user'),
    closeStream: () => {
      const description = "Bad Request: message can't be edited";
      fake.fail('editMessageText', { kind: 'error', code: 400, description });
    },
    pollStream: none('streams that are polled'),
    spendWindow: none('windows for answers'),
    signIn: none('signing in'),
    now: () => Date.now() + offset,
    advance: (milliseconds) => {
      offset += milliseconds;
    },
    close: async () => {
      await fake.close();
      await other.close();
    },
  };
}

/** Another program polls, which ends the poll of the bot. */
async function pollBeside(fake: FakeTelegram): Promise<void> {
  while (!fake.isPolled) await delay(1);
  const headers = { 'content-type': 'application/json' };
  const address = `${fake.apiBaseUrl}/bot${fake.token}/getUpdates`;
  await fetch(address, { method: 'POST', headers, body: '{"timeout":1}', signal: AbortSignal.timeout(timeLimit) });
}

function callsOf(fake: FakeTelegram, route: FakeRoute): number {
  if (route === 'any') return fake.calls.length;
  const isUpload = ({ files }: FakeCall) => route !== 'upload' || files.size > 0;
  return methods[route].flatMap((method) => fake.callsOf(method)).filter(isUpload).length;
}

function parsed(bytes: Uint8Array): Update | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Update) : null;
  } catch {
    return null;
  }
}

function shownOf(message: SentMessage, written: ReadonlyMap<string, unknown>): ShownMessage {
  const { message_id, chat_id, message_thread_id, text = '', entities, reply_to, media, earlier } = message;
  const chat: FakeChat = {
    session_type: Number(chat_id) < 0 ? 'group' : 'person',
    session_id: String(chat_id),
    thread_id: message_thread_id === undefined ? '' : String(message_thread_id),
  };
  const quoted = `${chat_id}/${reply_to}`;
  const kinds = { photo: 'image', voice: 'voice', document: 'file' } as const;
  const files =
    media === undefined || typeof media.source === 'string' ? [] : [{ ...media.source, kind: kinds[media.kind] }];
  return {
    id: `${chat_id}/${message_id}`,
    chat,
    text,
    history: [...earlier, text].map((shown) => ({ text: shown, at: 0 })),
    media: files,
    quotes: written.has(quoted) ? quoted : null,
    notifies: entities.flatMap((entity) => (entity.type === 'text_mention' ? [String(entity.user.id)] : [])),
    isUnfinished: false,
  };
}
