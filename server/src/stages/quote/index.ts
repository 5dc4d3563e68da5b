import {
  type MessageChain,
  maximumChainDepth,
  maximumChainElements,
  type Stage,
  type StageOutcome,
  textOfChain,
} from '@parley/sdk';
import { quoteConfig } from './config.ts';

/** Adds quoted texts and images to the message, after its own. */
export const quote: Stage<typeof quoteConfig> = {
  name: 'quote',
  label: { en_US: 'Quoted messages', zh_Hans: '引用内容', ja_JP: '引用されたメッセージ' },
  config: quoteConfig,
  check({ message_chain }, { config }): StageOutcome {
    if (!config.trigger.misc['combine-quote-message']) return { outcome: 'pass' };
    const written = message_chain.filter(({ type }) => type !== 'Quote');
    if (written.length === message_chain.length) return { outcome: 'pass' };
    const quotes = message_chain.flatMap((element) =>
      element.type === 'Quote' ? quotedIn(element.origin as MessageChain, 1) : [],
    );
    const said = written.some(({ type }) => type !== 'Source');
    const combined = quotes.flatMap((quoted, index) => (index > 0 || said ? [newLine, ...quoted] : quoted));
    return {
      outcome: 'pass',
      message_chain: [...written, ...combined].slice(0, maximumChainElements),
      reason: 'quote_combined',
      details: { quotes: quotes.length, characters: textOfChain(quotes.flat()).length },
    };
  },
};

const newLine: MessageChain[number] = { type: 'Plain', text: '\n' };

/** The content of quoted messages, nested quotes included, in order. Other elements are described as text. */
function quotedIn(chain: MessageChain, depth: number): MessageChain[] {
  const parts: MessageChain[] = [[]];
  for (const element of chain) {
    if (element.type === 'Quote') {
      if (depth < maximumChainDepth) parts.push(...quotedIn(element.origin as MessageChain, depth + 1), []);
    } else if (element.type === 'Plain' || element.type === 'Image') {
      parts.at(-1)?.push(element);
    } else {
      const text = textOfChain([element]);
      if (text !== '') parts.at(-1)?.push({ type: 'Plain', text });
    }
  }
  return parts.filter((part) => part.length > 0);
}
