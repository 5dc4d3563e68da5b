import type { AnswerChange, AnswerFilter, MessageChain, MessageElement, Stage } from '@parley/sdk';
import { addressingConfig } from './config.ts';

/**
 * Addresses answers: in groups they start with a mention of the sender, and they quote the message, if the pipeline
 * enables it and the platform supports it.
 */
export const addressing: Stage<typeof addressingConfig> = {
  name: 'addressing',
  label: { en_US: 'Mention and quote', zh_Hans: '@ 与引用', ja_JP: 'メンションと引用' },
  config: addressingConfig,
  answer(message, { config, platform }): AnswerFilter | null {
    const { 'at-sender': mentions, 'quote-origin': quotes } = config.output.misc;
    const { session_type, sender_id, sender_name, platform_message_id } = message;
    const can = (type: MessageElement['type']) => platform.elements.includes(type);
    const front: MessageChain = [];
    if (quotes && platform_message_id !== null && can('Quote')) {
      // Platforms show the quoted message by its id. Its content is not repeated.
      front.push({ type: 'Quote', id: platform_message_id, sender_id, origin: [] });
    }
    if (mentions && session_type === 'group' && sender_id !== '' && can('At')) {
      front.push({ type: 'At', target: sender_id, display: sender_name }, { type: 'Plain', text: ' ' });
    }
    if (front.length === 0) return null;
    return {
      show: (chain) => (saysSomething(chain) ? [...front, ...chain] : chain),
      finish: (messages) => addressed(messages, front),
    };
  },
};

function addressed(messages: MessageChain[], front: MessageChain): AnswerChange {
  const first = messages.findIndex(saysSomething);
  return {
    messages: messages.map((message, index) => (index === first ? [...front, ...message] : message)),
  };
}

/** A mention alone would be shown before there is anything to read. */
function saysSomething(chain: MessageChain): boolean {
  return chain.some((element) => element.type !== 'Plain' || element.text !== '');
}
