import { setTimeout as delay } from 'node:timers/promises';
import type { FakeCall } from '../../server/src/platforms/telegram/testing/fake-methods.ts';
import { startFakeTelegram } from '../../server/src/platforms/telegram/testing/fake-telegram.ts';
import { incoming } from '../../server/src/platforms/telegram/testing/fixtures.ts';
import { idIn, type Messenger, type Question } from './messenger.ts';

/** The fake Telegram of the tests. Its times have a resolution of one millisecond. */
export async function startTelegramMessenger(): Promise<Messenger> {
  const fake = await startFakeTelegram();
  const questions = new Map<string, Question>();
  /** Unconfirmed questions, by update id, oldest first. */
  const waiting = new Map<number, Question>();
  const people = new Map<string, number>();
  const places = new Map<string, number>();
  let readCalls = 0;
  let answered = 0;

  function read(): void {
    for (; readCalls < fake.calls.length; readCalls += 1) {
      const call = fake.calls[readCalls] as FakeCall;
      if (call.method === 'getUpdates') confirm(call);
      if (call.method === 'sendMessage') take(call);
    }
  }

  function confirm({ parameters, at }: FakeCall): void {
    for (const [update, question] of waiting) {
      if (update >= Number(parameters.offset ?? 0)) return;
      question.acknowledgedAt = at - performance.timeOrigin;
      waiting.delete(update);
    }
  }

  function take({ parameters, at }: FakeCall): void {
    const text = String(parameters.text);
    const question = questions.get(idIn(text) ?? '');
    if (question === undefined) throw new Error(`Telegram was sent what answers no question: ${text}`);
    const arrivedAt = at - performance.timeOrigin;
    if (question.answers.push({ at: arrivedAt, text, piece: 0, confirmedAt: arrivedAt }) === 1) answered += 1;
  }

  return {
    adapter: 'telegram',
    adapterConfig: { token: fake.token, api_base_url: fake.apiBaseUrl },
    say: ({ id, conversation, text, due }) => {
      const person = people.get(conversation) ?? 1000 + people.size;
      people.set(conversation, person);
      const place = (places.get(conversation) ?? 0) + 1;
      places.set(conversation, place);
      const question: Question = { id, conversation, text, place, due, acknowledgedAt: null, answers: [] };
      questions.set(id, question);
      const from = { id: person, is_bot: false, first_name: conversation };
      waiting.set(fake.deliver(incoming({ text, from })), question);
    },
    questions: () => {
      read();
      return [...questions.values()];
    },
    asked: () => questions.size,
    answered: () => {
      read();
      return answered;
    },
    connected: async () => {
      // A stopped bot does not poll.
      const before = fake.callsOf('getUpdates').length;
      while (fake.callsOf('getUpdates').length === before) await delay(20);
    },
    close: () => fake.close(),
  };
}
