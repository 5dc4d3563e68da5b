import { connect } from 'node:net';
import { Pool } from 'undici';
import { openLines, type ToAdapter, type ToPlatform } from '../fakes/line-protocol.ts';
import { answerMeasurements } from '../service/measurements.ts';
import { BareLedger, type StoredQuestion } from './bare-ledger.ts';

/*
 * What an answered message takes at least: take the line, store it, ask the model, store the answer, send it, store that
 * it was sent. Without stages, traces of its own, or anyone who could ask what happened.
 */

const [file = '', port = '', baseUrl = ''] = process.argv.slice(2);

/** Messages of a conversation that the model gets, as many as with the service. */
const historyMessages = 20;

interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

const ledger = new BareLedger(file);
const { origin, pathname } = new URL(baseUrl);
const model = new Pool(origin, { connections: 64 });
/** Per person, the end of the answers so far. */
const turns = new Map<string, Promise<void>>();
const histories = new Map<string, ChatMessage[]>();
const sending = new Map<number, (platformMessageId: string) => void>();
let lastRequest = 0;

const lines = openLines<ToAdapter, ToPlatform>(connect(Number(port), '127.0.0.1'), onLine, () => process.exit(1));
lines.write({ type: 'hello' });

function onLine(line: ToAdapter): void {
  if (line.type === 'welcome') console.log(`The bare program is ready at http://127.0.0.1:${port}`);
  else if (line.type === 'taken') {
    sending.get(line.request)?.(line.platform_message_id);
    sending.delete(line.request);
  } else void receive(line).catch(fail);
}

async function receive({ id, conversation: person, text }: ToAdapter & { type: 'question' }): Promise<void> {
  const stored = ledger.accept({ id, person, text });
  const turn = (turns.get(person) ?? Promise.resolve()).then(async () => answer(id, await stored));
  turns.set(person, turn);
  await stored;
  lines.write({ type: 'stored', id });
  await turn;
}

async function answer(id: string, question: StoredQuestion): Promise<void> {
  await ledger.claim(question);
  const { person, text } = question;
  const history = histories.get(person) ?? [];
  histories.set(person, history);
  history.push({ role: 'user', content: text });
  const content = await ask(history.slice(-historyMessages - 1));
  history.push({ role: 'assistant', content });
  const uuid = await ledger.finish(question, content);
  const request = ++lastRequest;
  const taken = new Promise<string>((resolve) => sending.set(request, resolve));
  lines.write({ type: 'send', request, token: uuid, conversation: person, reply_to: id, piece: 0, text: content });
  await ledger.settle(question, uuid, await taken);
}

async function ask(messages: readonly ChatMessage[]): Promise<string> {
  const { statusCode, body } = await model.request({
    method: 'POST',
    path: `${pathname}/chat/completions`,
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-0123456789abcdefghij' },
    body: JSON.stringify({ model: 'echo', messages, stream: true, stream_options: { include_usage: true } }),
  });
  if (statusCode !== 200) throw new Error(`The model answers with status ${statusCode}`);
  let text = '';
  for (const event of (await body.text()).split('\n\n')) {
    const data = event.slice('data: '.length);
    if (data === '' || data === '[DONE]') continue;
    const chunk = JSON.parse(data) as { choices: { delta: { content?: string } }[] };
    text += chunk.choices[0]?.delta.content ?? '';
  }
  return text;
}

function fail(error: unknown): void {
  console.error(error);
  process.exit(1);
}

process.once('SIGTERM', () => {
  lines.destroy();
  ledger.close();
  process.exit(0);
});
process.once('disconnect', () => process.exit(1));
answerMeasurements(() => ledger.counts());
