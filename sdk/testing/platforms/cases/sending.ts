import { expect } from 'vitest';
import type { DeliveryFailureKind } from '../../../src/delivery-error.ts';
import type { MessageChain, MessageElement } from '../../../src/message-chain.ts';
import type { FakeChat, FakeFault, FakePause } from '../fake-platform.ts';
import { failureOf, outgoingMessage, plain, RecordedProgress, readFailure } from '../outgoing.ts';
import { picture } from '../picture.ts';
import { casesOf } from '../platform-case.ts';
import type { PlatformFacts } from '../platform-facts.ts';
import { chatOf, type Stage } from '../stage.ts';
import { compact, isWhole, textOfLength } from '../text-samples.ts';

async function sends(stage: Stage, chat: FakeChat): Promise<void> {
  await stage.start();
  const sent = await stage.send('Good day 你好 🦜', { to: chat });
  expect(stage.texts(chat)).toEqual(['Good day 你好 🦜']);
  expect(stage.shown()).toHaveLength(1);
  expect(sent.platform_message_id === undefined || sent.platform_message_id !== '').toBe(true);
}

const has =
  (...elements: MessageElement['type'][]) =>
  ({ capabilities }: PlatformFacts) =>
    elements.every((element) => capabilities.elements.includes(element));

/** A failed send, after which the next one works. `sent`: the adapter may find the message on the platform. */
async function fails(stage: Stage, how: FakeFault, kinds: (DeliveryFailureKind | 'sent')[]): Promise<void> {
  await stage.start();
  stage.fake.fail('send', how);
  const failure = await stage.send('It fails').then(() => null, readFailure);
  expect(kinds).toContain(failure?.kind ?? 'sent');
  expect(failure?.message).not.toBe('');
  if (failure === null) expect(stage.texts()).toEqual(['It fails']);
  const next = await stage.outgoing('It works');
  await stage.repeat(() => stage.adapter.send(next, new RecordedProgress()));
  expect(stage.texts().at(-1)).toBe('It works');
}

/** A call that may have been carried out is not made again, unless the platform recognizes it. */
async function losesResponse(stage: Stage, how: 'cut' | 'silence'): Promise<void> {
  await stage.start();
  const message = await stage.outgoing('Once');
  stage.fake.fail('send', how);
  const failure = await stage.adapter.send(message, new RecordedProgress()).then(() => null, readFailure);
  if (failure !== null) expect(failure.kind).toBe('unknown');
  if (stage.capabilities.idempotent_sends) await stage.adapter.send(message, new RecordedProgress());
  expect(stage.texts()).toEqual(['Once']);
}

async function limited(stage: Stage, pause: FakePause): Promise<number | null | undefined> {
  await stage.start();
  const message = await stage.outgoing('Too fast');
  stage.fake.limit({ route: 'send', after: 0, pause, times: 1 });
  const failure = await failureOf(stage.adapter.send(message, new RecordedProgress()));
  expect(failure).toMatchObject({ kind: 'not_sent', reason: 'quota' });
  expect(failure.rateLimit).toBeDefined();
  expect(stage.texts()).toEqual([]);
  return failure.rateLimit?.pauseMs;
}

/**
 * A text around the limit arrives whole, in as many messages as it takes. Without a function `split`, one beyond the
 * limit may be refused with a type instead: the service has cut it before.
 */
async function fits(stage: Stage, over: number): Promise<void> {
  await stage.start();
  const { text_limit: limit } = stage.capabilities;
  const { split } = stage.facts.implementation;
  const text = textOfLength((limit?.most ?? 0) + over, limit?.unit ?? 'utf16');
  const parts = split?.(plain(text), stage.config) ?? [plain(text)];
  if (over <= 0) expect(parts, 'messages for a text within the limit').toHaveLength(1);
  const question = stage.isUnsolicitedFree ? null : await stage.ask();
  try {
    for (const part of parts) await stage.send(part, { question, to: stage.fake.person() });
  } catch (error) {
    if (over <= 0 || split !== undefined) throw error;
    expect(readFailure(error).kind).toBe('refused');
    expect(stage.texts()).toEqual([]);
    return;
  }
  expect(compact(stage.texts().join(''))).toBe(compact(text));
  for (const shown of stage.texts()) expect(isWhole(shown), 'whole characters').toBe(true);
}

const hasLimit = ({ capabilities }: PlatformFacts) => capabilities.text_limit !== null;

/** The element is sent, as itself or as a text, or refused with a type. */
async function handles(stage: Stage, element: MessageElement, to: FakeChat): Promise<void> {
  const message = await stage.outgoing([{ type: 'Plain', text: 'Before ' }, element], { to });
  const failure = await stage.adapter.send(message, new RecordedProgress()).then(() => null, readFailure);
  if (failure === null) return;
  expect(stage.capabilities.elements, `${element.type} is declared`).not.toContain(element.type);
  expect(failure).toMatchObject({ kind: 'refused', reason: 'unsupported_element' });
}

const base64 = picture.toString('base64');
const samples: MessageElement[] = [
  { type: 'At', target: 'somebody', display: 'Somebody' },
  { type: 'AtAll' },
  { type: 'Image', base64 },
  { type: 'Voice', base64, length: 1 },
  { type: 'File', name: 'list.png', base64 },
  { type: 'Quote', id: 'gone', origin: plain('Earlier') },
  { type: 'Face', face_type: 'face', face_id: 1, face_name: 'smile' },
  { type: 'Forward', node_list: [{ sender_id: '1', sender_name: 'Ada', message_chain: plain('Inside') as never }] },
  { type: 'Unknown', text: 'Something' },
];

async function sendsPicture(stage: Stage, element: MessageElement): Promise<void> {
  await stage.start();
  await stage.send([element]);
  const media = stage.shown().flatMap((message) => message.media);
  expect(media).toHaveLength(1);
  expect(Buffer.from(media[0]?.content ?? []).equals(picture)).toBe(true);
}

const refusesPrivate = async (stage: Stage, url: string) => {
  await stage.start();
  const failure = await failureOf(stage.send([{ type: 'Image', url }]));
  expect(failure.kind).toBe('refused');
  expect(['address_not_allowed', 'unsupported_element']).toContain(failure.reason);
  expect(stage.shown().flatMap(({ media }) => media)).toEqual([]);
};

export const sendingCases = casesOf('sending', [
  { name: 'text to a person', run: (stage) => sends(stage, stage.fake.person()) },
  { name: 'text to a group', run: (stage) => sends(stage, stage.fake.group()) },
  { name: 'text to a thread', run: (stage) => sends(stage, stage.thread()) },
  {
    name: 'answer to a question in a thread',
    run: async (stage) => {
      await stage.start();
      const chat = stage.thread();
      const question = await stage.ask({ chat, text: 'A question' });
      await stage.send('An answer', { question, to: chatOf(question.event) });
      expect(stage.texts(chat)).toEqual(['An answer']);
    },
  },
  {
    name: 'each element is sent, replaced or refused',
    run: async (stage) => {
      await stage.start();
      const chats = [stage.fake.person(), stage.fake.group(), stage.fake.thread()].filter((chat) => chat !== null);
      for (const to of chats) for (const element of samples) await handles(stage, element, to);
    },
  },
  {
    name: 'message without content is refused',
    run: async (stage) => {
      await stage.start();
      const failure = await failureOf(stage.send([{ type: 'Plain', text: '' }]));
      expect(failure.kind).toBe('refused');
      expect(stage.shown()).toEqual([]);
    },
  },
  {
    name: 'quote of the question',
    needs: (facts) => has('Quote')(facts) && facts.capabilities.answers_quote !== false,
    run: async (stage) => {
      await stage.start();
      const question = await stage.ask({ chat: stage.fake.group(), text: 'A question' });
      await stage.send(
        [quoteOf(question.event.message_chain, question.event.platform_message_id), ...plain('Answer')],
        {
          question,
        },
      );
      const [shown] = stage.shown();
      expect(shown?.text).toBe('Answer');
      expect(question.event.platform_message_id).toContain(shown?.quotes ?? 'no quote');
    },
  },
  {
    name: 'quote of a message that is gone does not hold the text back',
    needs: has('Quote'),
    run: async (stage) => {
      await stage.start();
      await stage.send([{ type: 'Quote', id: '999999', origin: [] }, ...plain('Answer')]);
      expect(stage.texts()).toEqual(['Answer']);
    },
  },
  {
    name: 'mentions in a text notify no one',
    run: async (stage) => {
      await stage.start();
      const { userId } = stage.fake;
      const text = `@everyone @here @all <!everyone> <!channel> <@${userId}> @${userId} <at id=all></at> <at user_id="all">all</at> [CQ:at,qq=all] Hello`;
      await stage.send(text, { to: stage.fake.group() });
      expect(stage.shown().flatMap(({ notifies }) => notifies)).toEqual([]);
    },
  },
  {
    name: 'mention of a user notifies',
    needs: has('At'),
    run: async (stage) => {
      await stage.start();
      const { userId } = stage.fake;
      await stage.send([{ type: 'At', target: userId, display: 'Ada' }, ...plain(' Hello')], {
        to: stage.fake.group(),
      });
      expect(stage.shown().flatMap(({ notifies }) => notifies)).toEqual([userId]);
    },
  },
  { name: 'text one unit below the limit', needs: hasLimit, run: (stage) => fits(stage, -1) },
  { name: 'text at the limit', needs: hasLimit, run: (stage) => fits(stage, 0) },
  { name: 'text one unit beyond the limit', needs: hasLimit, run: (stage) => fits(stage, 1) },
  {
    name: 'characters outside of the basic plane stay whole',
    needs: hasLimit,
    run: async (stage) => {
      await stage.start();
      const { most, unit } = stage.capabilities.text_limit ?? { most: 100, unit: 'utf16' };
      const text = textOfLength(most, unit, '🦜');
      const shifted = `a${text}`;
      try {
        await stage.answer(shifted);
      } catch (error) {
        if (stage.facts.implementation.split !== undefined) throw error;
        expect(readFailure(error).kind).toBe('refused');
        return;
      }
      expect(compact(stage.texts().join(''))).toBe(shifted);
      for (const shown of stage.texts()) expect(isWhole(shown)).toBe(true);
    },
  },
  {
    name: 'parts stay in order when one fails',
    run: async (stage) => {
      await stage.start();
      const question = stage.isUnsolicitedFree ? null : await stage.ask();
      const to = stage.fake.person();
      const parts: Awaited<ReturnType<Stage['outgoing']>>[] = [];
      for (const text of ['One', 'Two', 'Three']) parts.push(await stage.outgoing(text, { question, to }));
      for (const [index, part] of parts.entries()) {
        if (index === 1) {
          await stage.goAway();
          expect((await failureOf(stage.adapter.send(part, new RecordedProgress()))).kind).toBe('not_sent');
          await stage.fake.comeBack();
        }
        await stage.repeat(() => stage.adapter.send(part, new RecordedProgress()));
      }
      expect(stage.texts()).toEqual(['One', 'Two', 'Three']);
    },
  },
  {
    name: 'as many messages as may answer one question',
    needs: ({ capabilities }) => capabilities.text_limit?.messages !== undefined,
    run: async (stage) => {
      await stage.start();
      const most = stage.capabilities.text_limit?.messages ?? 0;
      const question = await stage.ask();
      for (let count = 0; count < most; count += 1) await stage.send(`Part ${count}`, { question });
      expect(stage.texts()).toHaveLength(most);
      const failure = await failureOf(stage.send('One more', { question }));
      expect(failure.kind).not.toBe('unknown');
      expect(['quota', 'window_closed', 'reply_expired']).toContain(failure.reason);
      expect(stage.texts()).toHaveLength(most);
    },
  },
  {
    name: 'same token twice is one message',
    needs: ({ capabilities }) => capabilities.idempotent_sends,
    run: async (stage) => {
      await stage.start();
      const message = await stage.outgoing('Once');
      await stage.adapter.send(message, new RecordedProgress());
      await stage.adapter.send(message, new RecordedProgress());
      expect(stage.texts()).toEqual(['Once']);
      await stage.send('Once');
      expect(stage.texts()).toEqual(['Once', 'Once']);
    },
  },
  {
    name: 'tokens are recognized as long as declared',
    needs: ({ capabilities }) => capabilities.idempotency_ms !== undefined,
    run: async (stage) => {
      await stage.start();
      const message = await stage.outgoing('Once');
      await stage.adapter.send(message, new RecordedProgress());
      stage.fake.advance((stage.capabilities.idempotency_ms ?? 0) - 1000);
      await stage.adapter.send(message, new RecordedProgress());
      expect(stage.texts()).toEqual(['Once']);
    },
  },
  { name: 'response lost when the connection breaks', run: (stage) => losesResponse(stage, 'cut') },
  { name: 'response that never comes', run: (stage) => losesResponse(stage, 'silence') },
  {
    name: 'rate limit with seconds',
    run: async (stage) => {
      const pauseMs = await limited(stage, { seconds: 60 });
      expect(pauseMs).toBeGreaterThan(58_000);
      expect(pauseMs).toBeLessThanOrEqual(61_000);
    },
  },
  {
    name: 'rate limit with a date',
    run: async (stage) => {
      const pauseMs = await limited(stage, { date: new Date(Date.now() + 60_000) });
      expect(pauseMs).toBeGreaterThan(55_000);
      expect(pauseMs).toBeLessThanOrEqual(62_000);
    },
  },
  { name: 'rate limit without a time', run: async (stage) => void (await limited(stage, 'unnamed')) },
  { name: 'failure of the platform', run: (stage) => fails(stage, 'server_error', ['unknown', 'not_sent']) },
  {
    name: 'platform cannot be reached',
    run: async (stage) => {
      await stage.start();
      const message = await stage.outgoing('Later');
      await stage.goAway();
      const failure = await failureOf(stage.adapter.send(message, new RecordedProgress()));
      expect(failure.kind).toBe('not_sent');
      await stage.fake.comeBack();
      await stage.repeat(() => stage.adapter.send(message, new RecordedProgress()));
      expect(stage.texts()).toEqual(['Later']);
    },
  },
  { name: 'page of a proxy instead of a response', run: (stage) => fails(stage, 'wrong_body', ['unknown', 'sent']) },
  {
    name: 'permanent refusal is not repeated',
    run: async (stage) => {
      await stage.start();
      const message = await stage.outgoing('Refused');
      const before = stage.fake.calls('send');
      stage.fake.fail('send', 'refused', 5);
      const failure = await failureOf(stage.adapter.send(message, new RecordedProgress()));
      expect(failure.kind).toBe('refused');
      expect(stage.fake.calls('send') - before).toBe(1);
      expect(stage.texts()).toEqual([]);
    },
  },
  {
    name: 'failure that is reported after acceptance',
    run: async (stage) => {
      await stage.start();
      const { platform_message_id } = await stage.send('It will fail');
      await stage.fake.failLater(stage.shown()[0]?.id ?? '');
      await stage.until(() => stage.context.failures.size > 0, 'the failure is reported');
      expect([...stage.context.failures.keys()]).toEqual([platform_message_id]);
    },
  },
  {
    name: 'chat that does not exist',
    run: async (stage) => {
      await stage.start();
      const failure = await failureOf(stage.send('Hello', { to: stage.fake.unknownChat(), question: null }));
      expect(failure).toMatchObject({ kind: 'refused', reason: 'unknown_target' });
    },
  },
  {
    name: 'unsolicited message',
    needs: ({ capabilities }) => capabilities.proactive !== 'none',
    run: async (stage) => {
      await stage.start();
      if (['window', 'quota'].includes(stage.capabilities.proactive)) await stage.ask();
      await stage.send('News', { question: null });
      expect(stage.texts()).toEqual(['News']);
    },
  },
  {
    name: 'unsolicited message is refused with a reason',
    needs: ({ capabilities }) => capabilities.proactive === 'none',
    run: async (stage) => {
      await stage.start();
      const message = outgoingMessage(plain('News'), stage.fake.person());
      const failure = await failureOf(stage.adapter.send(message, new RecordedProgress()));
      expect(failure.kind).not.toBe('unknown');
      expect(['reply_expired', 'window_closed', 'quota', 'unknown_target']).toContain(failure.reason);
      expect(stage.texts()).toEqual([]);
    },
  },
  {
    name: 'unsolicited message after the window',
    needs: ({ capabilities }) => ['window', 'quota'].includes(capabilities.proactive),
    run: async (stage) => {
      await stage.start();
      const { id } = await stage.ask();
      stage.fake.spendWindow(id);
      const failure = await failureOf(stage.send('News', { question: null }));
      expect(failure.kind).not.toBe('unknown');
      expect(['window_closed', 'quota']).toContain(failure.reason);
      expect(stage.texts()).toEqual([]);
    },
  },
  { name: 'picture from base64', needs: has('Image'), run: (stage) => sendsPicture(stage, { type: 'Image', base64 }) },
  {
    name: 'picture from a stored file',
    needs: has('Image'),
    run: async (stage) => {
      const bytes = async function* () {
        yield new Uint8Array(picture);
      };
      const { path } = await stage.context.storeMedia('cat.png', bytes());
      await sendsPicture(stage, { type: 'Image', path });
    },
  },
  {
    name: 'picture from an address',
    needs: has('Image'),
    run: async (stage) => {
      const url = 'https://pictures.example/cat.png';
      stage.content.set(url, new Uint8Array(picture));
      await sendsPicture(stage, { type: 'Image', url });
    },
  },
  {
    name: 'picture from a private address is refused',
    needs: has('Image'),
    run: (stage) => refusesPrivate(stage, 'http://127.0.0.1:59999/cat.png'),
  },
  {
    name: 'typing is shown',
    needs: ({ capabilities }) => capabilities.typing_ms !== undefined,
    run: async (stage) => {
      await stage.start();
      const message = await stage.outgoing('Later');
      const before = stage.fake.calls('any');
      await stage.adapter.showTyping?.(message.target);
      expect(stage.fake.calls('any')).toBeGreaterThan(before);
      await stage.adapter.send(message, new RecordedProgress());
      expect(stage.texts()).toEqual(['Later']);
    },
  },
]);

function quoteOf(chain: MessageChain, messageId: string): MessageElement {
  const source = chain.find((element) => element.type === 'Source');
  return { type: 'Quote', id: source?.id ?? messageId, origin: [] };
}
