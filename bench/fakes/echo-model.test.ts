import { afterEach, expect, it } from 'vitest';
import { type EchoModel, startEchoModel } from './echo-model.ts';
import type { EchoModelPace } from './echo-model-program.ts';
import { questionText } from './messenger.ts';

const started: EchoModel[] = [];
afterEach(async () => {
  for (const model of started.splice(0)) await model.close();
});

async function start(pace?: EchoModelPace): Promise<EchoModel> {
  const model = await startEchoModel(pace);
  started.push(model);
  return model;
}

async function ask({ baseUrl }: EchoModel, id: string): Promise<{ text: string; milliseconds: number }> {
  const begun = performance.now();
  const messages = [{ role: 'user', content: questionText(id) }];
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ messages, stream: true }),
  });
  return { text: await response.text(), milliseconds: performance.now() - begun };
}

it('answers with the id of the question, in a process of its own', async () => {
  const model = await start();
  expect((await ask(model, 'busy-1')).text).toContain('Answer to #busy-1: ');
  expect(await model.requests()).toBe(1);
  expect(model.pid).not.toBe(process.pid);
});

it('tells the times of the first request for each question in the time of this process', async () => {
  const model = await start({ before: [100, 120], between: [0, 0] });
  const begun = performance.now();
  await ask(model, 'busy-1');
  const ended = performance.now();
  await ask(model, 'busy-1');
  await ask(model, 'calm-1');
  const times = await model.times('busy-');
  expect([...times.keys()]).toEqual(['busy-1']);
  const { askedAt = Number.NaN, writtenAt } = times.get('busy-1') ?? {};
  // The clocks of two processes differ by some microseconds.
  expect(askedAt).toBeGreaterThan(begun - 1);
  expect(askedAt).toBeLessThan(ended - 90);
  expect(writtenAt).toBeGreaterThan(ended);
});

it('is slow for the questions that it is told', async () => {
  const model = await start({ before: [200, 200], between: [10, 20], idPrefix: 'slow-' });
  await ask(model, 'warm-1');
  const [slow, other] = await Promise.all([ask(model, 'slow-1'), ask(model, 'other-1')]);
  // A pause before the answer, and eight between and after the chunks.
  expect(slow.milliseconds).toBeGreaterThan(270);
  expect(other.milliseconds).toBeLessThan(150);
});

it('rejects what it does not understand, and ends when it is closed', async () => {
  const model = await start();
  await expect(fetch(`${model.baseUrl}/chat/completions`, { method: 'POST', body: '{}' })).rejects.toThrow();
  await model.close();
  await expect(model.times('')).rejects.toThrow();
  await expect(fetch(model.baseUrl)).rejects.toThrow();
});
