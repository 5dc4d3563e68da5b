import {
  type AnswerChange,
  type AnswerFilter,
  type MessageChain,
  type MessageElement,
  type Stage,
  textOfChain,
} from '@parley/sdk';
import { firstPart, splitText } from '../../kit/splitter/split-text.ts';

/** Sends what is longer than a message of the platform may be as several messages. */
export const split: Stage = {
  name: 'split',
  label: { en_US: 'Several messages', zh_Hans: '拆分消息', ja_JP: 'メッセージの分割' },
  answer(_message, { platform }): AnswerFilter | null {
    const { text_limit } = platform;
    if (text_limit === null) return null;
    return { show: (chain) => firstMessage(chain, text_limit), finish: (messages) => finished(messages, text_limit) };
  },
};

function finished(messages: MessageChain[], limit: number): AnswerChange {
  const split = messages.flatMap((message) => splitChain(message, limit));
  if (split.length === messages.length) return { messages: split };
  return { messages: split, reason: 'long_text', details: { messages: split.length } };
}

/** All texts of a message count together. A text that would begin in a message that is nearly full begins in the next one. */
function splitChain(chain: MessageChain, limit: number): MessageChain[] {
  const messages: MessageChain[] = [[]];
  let used = 0;
  const next = () => {
    messages.push([]);
    used = 0;
  };
  for (const element of chain) {
    const length = textLength(element);
    if (element.type !== 'Plain' || used + length <= limit) {
      if (used > 0 && used + length > limit) next();
      messages.at(-1)?.push(element);
      used += length;
      continue;
    }
    if (isNearlyFull(used, limit)) next();
    for (const [index, text] of splitText(element.text, { limit, first: limit - used }).entries()) {
      if (index > 0) next();
      messages.at(-1)?.push({ ...element, text });
      used += text.length;
    }
  }
  return messages;
}

/** What will stand in the first message, whatever follows. */
function firstMessage(chain: MessageChain, limit: number): MessageChain {
  const shown: MessageChain = [];
  let used = 0;
  for (const [index, element] of chain.entries()) {
    const length = textLength(element);
    if (element.type === 'Plain' && (index === chain.length - 1 || used + length > limit)) {
      if (used + length > limit && isNearlyFull(used, limit)) return shown;
      return [...shown, { ...element, text: firstPart(element.text, { limit, first: limit - used }) }];
    }
    if (used > 0 && used + length > limit) return shown;
    shown.push(element);
    used += length;
  }
  return shown;
}

/** Files stand beside the text of a message, and what is passed on is for the platform to show. */
const besideText: readonly MessageElement['type'][] = ['Source', 'Quote', 'Image', 'Voice', 'File', 'Forward'];

function textLength(element: MessageElement): number {
  return besideText.includes(element.type) ? 0 : textOfChain([element]).length;
}

function isNearlyFull(used: number, limit: number): boolean {
  return used > limit / 2;
}
