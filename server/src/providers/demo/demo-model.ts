import { ReadableStream } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { LanguageModel } from '@parley/sdk';

/** Delay between words, milliseconds: long enough to make streaming visible. */
const wordIntervalMs = 15;
/** A long message is repeated up to here, counted in characters. */
const maximumQuoteLength = 500;

type Prompt = LanguageModelV4CallOptions['prompt'];

/** The demo as a language model. A token is a word here. */
export function createDemoModel(modelId: string): LanguageModel {
  return {
    specificationVersion: 'v4',
    provider: 'demo',
    modelId,
    supportedUrls: {},
    async doGenerate({ prompt, abortSignal }) {
      abortSignal?.throwIfAborted();
      const words = wordsOf(answerTo(prompt));
      return {
        content: [{ type: 'text', text: words.join('') }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: usageOf(prompt, words),
        warnings: [],
      };
    },
    async doStream({ prompt, abortSignal }) {
      abortSignal?.throwIfAborted();
      // The same class, declared twice: by Node's types, which know `from`, and by the browser's.
      const stream = ReadableStream.from(speak(prompt, abortSignal));
      return { stream: stream as globalThis.ReadableStream<LanguageModelV4StreamPart> };
    },
  };
}

async function* speak(prompt: Prompt, signal: AbortSignal | undefined): AsyncGenerator<LanguageModelV4StreamPart> {
  const words = wordsOf(answerTo(prompt));
  const id = 'answer';
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'text-start', id };
  for (const word of words) {
    // An aborted timer fails with its own error; the caller's reason is more specific.
    await delay(wordIntervalMs, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
      throw signal?.aborted === true ? signal.reason : error;
    });
    yield { type: 'text-delta', id, delta: word };
  }
  yield { type: 'text-end', id };
  yield { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: usageOf(prompt, words) };
}

function answerTo(prompt: Prompt): string {
  const introduction = [
    "This is Parley's built-in **demo model**. No real model is connected, so it cannot answer questions.",
    '',
    'To connect one:',
    '',
    '1. Add a **provider** with the address of its API and your key.',
    '2. Add a **model** of that provider.',
    '3. The default pipeline then answers with it.',
  ].join('\n');
  const written = lastUserText(prompt);
  if (written === '') return introduction;
  const characters = [...written];
  const shown =
    characters.length > maximumQuoteLength ? `${characters.slice(0, maximumQuoteLength).join('')}…` : written;
  const quote = shown
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
  return `${introduction}\n\nYou wrote:\n\n${quote}`;
}

function lastUserText(prompt: Prompt): string {
  const message = prompt.findLast(({ role }) => role === 'user');
  return message === undefined ? '' : textOf(message).trim();
}

function textOf(message: Prompt[number]): string {
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Words with trailing white space, so that joining restores the text. */
function wordsOf(text: string): string[] {
  return text.match(/\S+\s*/g) ?? [];
}

function usageOf(prompt: Prompt, answer: string[]): LanguageModelV4Usage {
  const input = prompt.reduce((sum, message) => sum + wordsOf(textOf(message)).length, 0);
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: answer.length, text: answer.length, reasoning: undefined },
  };
}
