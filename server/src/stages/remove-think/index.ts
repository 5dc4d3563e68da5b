import type { AnswerChange, AnswerFilter, MessageChain, Stage } from '@parley/sdk';
import { removeThinkConfig } from './config.ts';
import { ThoughtRemover } from './thought-remover.ts';

/** Removes thoughts of a model from the text of its answer, if the pipeline enables it. */
export const removeThink: Stage<typeof removeThinkConfig> = {
  name: 'remove-think',
  label: { en_US: 'Reasoning removal', zh_Hans: '思考内容', ja_JP: 'モデルの思考' },
  config: removeThinkConfig,
  answer(_message, { config }): AnswerFilter | null {
    if (!config.output.misc['remove-think']) return null;
    return { hidesReasoning: true, show: (chain) => withoutThoughts(chain, true).chain, finish: finished };
  },
};

function finished(messages: MessageChain[]): AnswerChange {
  const changed = messages.map((message) => withoutThoughts(message, false));
  const thoughts = changed.reduce((sum, { removed }) => sum + removed, 0);
  const chains = changed.map(({ chain }) => chain);
  return thoughts === 0 ? { messages: chains } : { messages: chains, details: { thoughts } };
}

/** A thought may span several elements; only its texts are removed. */
function withoutThoughts(message: MessageChain, isPartial: boolean): { chain: MessageChain; removed: number } {
  const remover = new ThoughtRemover();
  const last = message.findLastIndex(({ type }) => type === 'Plain');
  const chain: MessageChain = [];
  for (const [index, element] of message.entries()) {
    if (element.type !== 'Plain') {
      chain.push(element);
      continue;
    }
    const text = remover.read(element.text, isPartial && index === last);
    if (text !== '' || element.text === '') chain.push({ ...element, text });
  }
  return { chain, removed: remover.removed };
}
