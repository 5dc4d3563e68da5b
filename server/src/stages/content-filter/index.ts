import type {
  AnswerChange,
  AnswerFilter,
  ConversationContext,
  MessageChain,
  MessageElement,
  Stage,
  StageOutcome,
} from '@parley/sdk';
import { changeTexts, joinTexts, writtenTexts } from './chain-texts.ts';
import { type CompiledWords, compileWords, needsWholeText, type SensitiveWordList } from './compile-words.ts';
import { contentFilterConfig } from './config.ts';
import { StreamingMask } from './streaming-mask.ts';

/** Notice to the sender of a sensitive word. */
const notice = 'Your message contains a word that may not be used here.';

export interface ContentFilterOptions {
  /** The current list; the same object until it changes. */
  sensitiveWords: () => Promise<SensitiveWordList>;
}

/** Ends messages that contain sensitive words, and masks the words in answers. */
export function createContentFilter({ sensitiveWords }: ContentFilterOptions): Stage<typeof contentFilterConfig> {
  const compiled = new WeakMap<SensitiveWordList, Promise<CompiledWords>>();
  const currentWords = async () => {
    const list = await sensitiveWords();
    if (list.words.length === 0) return null;
    const words = compiled.get(list) ?? compileWords(list);
    compiled.set(list, words);
    return words;
  };
  return {
    name: 'content-filter',
    label: { en_US: 'Sensitive words', zh_Hans: '敏感词过滤', ja_JP: '禁止語' },
    config: contentFilterConfig,

    async check({ message_chain, context }, { config, signal }): Promise<StageOutcome> {
      const { scope, 'check-sensitive-words': isOn } = config.safety['content-filter'];
      if (!isOn || scope === 'output-msg') return { outcome: 'pass' };
      const words = await currentWords();
      if (words === null) return { outcome: 'pass' };
      // Quotes count if they are read as part of the message.
      const written = writtenTexts(message_chain, config.trigger.misc['combine-quote-message']);
      for (const text of [...written, ...broughtTexts(context, scope === 'all')]) {
        const mask = new StreamingMask(words);
        await mask.finishInTurns(text, signal);
        if (mask.hit !== null) {
          return { outcome: 'stop', reason: 'sensitive_word', notice, details: { word: mask.hit } };
        }
      }
      return { outcome: 'pass' };
    },

    async answer(_message, { config, signal }): Promise<AnswerFilter | null> {
      const { scope, 'check-sensitive-words': isOn } = config.safety['content-filter'];
      if (!isOn || scope === 'income-msg') return null;
      const words = await currentWords();
      if (words === null) return null;
      const finish = (messages: MessageChain[]) => finished(messages, words, signal);
      return needsWholeText(words) ? { needsWholeText: true, finish } : { show: shownPart(words), finish };
    },
  };
}

/**
 * The texts of a message's context, which have not been checked before.
 * @param withAnswers whether to include earlier answers: this bot's own would have been masked
 */
function broughtTexts(context: ConversationContext | undefined, withAnswers: boolean): string[] {
  if (context === undefined) return [];
  const turns = context.history.filter(({ role }) => withAnswers || role === 'user');
  const said = turns.flatMap(({ message_chain }) => writtenTexts(message_chain, true));
  return [context.instructions, ...said];
}

async function finished(messages: MessageChain[], words: CompiledWords, signal: AbortSignal): Promise<AnswerChange> {
  let masked = 0;
  const change = async (text: string) => {
    const mask = new StreamingMask(words);
    const output = await mask.finishInTurns(text, signal);
    masked += mask.count;
    return output;
  };
  const changed: MessageChain[] = [];
  for (const message of messages) changed.push(await changeTexts(message, change));
  return masked === 0 ? { messages: changed } : { messages: changed, reason: 'sensitive_word', details: { masked } };
}

/**
 * Only the last text of a streamed answer is masked incrementally. Nested messages are shown with the complete answer.
 */
function shownPart(words: CompiledWords): NonNullable<AnswerFilter['show']> {
  let current: { index: number; mask: StreamingMask } | null = null;
  return (message_chain) => {
    const chain = joinTexts(message_chain);
    const last = chain.findLastIndex(({ type }) => type === 'Plain');
    const shown: MessageChain = [];
    for (const [index, element] of chain.entries()) {
      if (element.type === 'Plain' && index === last) {
        if (current?.index !== index) current = { index, mask: new StreamingMask(words) };
        return [...shown, { ...element, text: current.mask.show(element.text) }];
      }
      const complete = withoutWords(element, words);
      if (complete === null) return shown;
      shown.push(complete);
    }
    return shown;
  };
}

/** Null for elements that are not shown before the answer is complete. */
function withoutWords(element: MessageElement, words: CompiledWords): MessageElement | null {
  if (element.type === 'Plain') return { ...element, text: new StreamingMask(words).finish(element.text) };
  const saysNothing = element.type === 'Source' || element.type === 'AtAll' || element.type === 'Image';
  return saysNothing ? element : null;
}
