/** A runner: answers with a fixed text, word by word. In parley.yaml: `extensions: [./examples/words-runner]`. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Extension, ParleyError, type Runner } from '@parley/sdk';
import { group, text, whole } from '@parley/sdk/fields';

const config = group(
  ['Words', '固定文字', '定型文'],
  ['Answers with a fixed text, word by word.', '逐词回复固定的文字。', '決まった文を一語ずつ回答します。'],
  {
    text: text(
      '',
      ['Text', '文字', '文'],
      [
        '{sender_name} and {text} stand for the sender and the question.',
        '{sender_name} 和 {text} 表示发送者和问题。',
        '{sender_name} と {text} は送信者と質問を表します。',
      ],
    ),
    pause: whole(
      50,
      [0, 10_000],
      ['Pause', '间隔', '間隔'],
      ['Milliseconds between two words.', '词之间的间隔，单位为毫秒。', '語と語の間隔です。単位はミリ秒です。'],
    ),
  },
);

export const words: Runner<typeof config> = {
  name: 'words',
  label: { en_US: 'Words', zh_Hans: '固定文字', ja_JP: '定型文' },
  config,
  async *answer(request, { logger }) {
    const { signal, variables } = request;
    signal.throwIfAborted();
    if (request.config.text.trim() === '') throw new ParleyError('invalid_request', 'The pipeline has no text.');
    const values: Record<string, string> = { ...variables, text: request.text };
    const answer = request.config.text.replace(/\{(\w+)\}/g, (name, key: string) => values[key] ?? name);
    logger.info({ characters: answer.length }, 'answering with a fixed text');
    for (const word of answer.match(/\S+\s*/g) ?? []) {
      yield { type: 'text', text: word };
      try {
        await pause(request.config.pause, undefined, { signal });
      } catch (error) {
        // The error of an aborted timer is another than the reason.
        throw signal.aborted ? signal.reason : error;
      }
    }
  },
};

export default { sdk: '^0.1.0', runners: [words] } satisfies Extension;
