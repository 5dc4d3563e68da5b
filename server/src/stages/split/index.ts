import {
  type AnswerChange,
  type AnswerFilter,
  type MessageChain,
  type MessageElement,
  ParleyError,
  type Stage,
  type StageContext,
  textOfChain,
} from '@parley/sdk';
import { type SplitConfig, splitConfig } from './config.ts';
import { firstPart, piecesOf } from './split-text.ts';

/**
 * A message of the platform, and the rest of the answer from its start on, which is read only for answers that are too
 * long.
 */
interface Part {
  chain: MessageChain;
  rest(): MessageChain;
}

const notices = {
  file: 'This answer is too long for the chat. The rest is in the attached file.',
  cut: 'This answer is too long for the chat. The rest was omitted.',
};

/** Splits answers that exceed the platform's message length into several messages, up to a maximum. */
export const split: Stage<typeof splitConfig> = {
  name: 'split',
  label: { en_US: 'Message splitting', zh_Hans: '拆分消息', ja_JP: 'メッセージの分割' },
  config: splitConfig,
  answer(_message, context): AnswerFilter | null {
    const { text_limit } = context.platform;
    if (text_limit === null) return null;
    const { most } = text_limit;
    return {
      show: (chain) => firstMessage(chain, most),
      finish: (messages) => finished(messages, most, context),
    };
  },
};

async function finished(
  messages: MessageChain[],
  limit: number,
  context: StageContext<SplitConfig>,
): Promise<AnswerChange> {
  const maximum = context.config.output['long-text-processing']['maximum-parts'];
  const parts: Part[] = [];
  for (const [index, message] of messages.entries()) {
    // Text beyond the maximum is not split, however long it is.
    if (parts.length > maximum) break;
    parts.push(...splitChain(message, { limit, most: maximum + 1, following: messages.slice(index + 1) }));
  }
  const split = parts.map(({ chain }) => chain);
  if (split.length > maximum) return bounded(parts, maximum, context);
  if (split.length === messages.length) return { messages: split };
  return { messages: split, reason: 'long_text', details: { messages: split.length } };
}

/** The first parts of an answer; the text of the others as a file where the platform carries files. */
async function bounded(
  parts: readonly Part[],
  maximum: number,
  context: StageContext<SplitConfig>,
): Promise<AnswerChange> {
  const [withFile, cut] = [restFrom(parts, maximum - 2), restFrom(parts, maximum - 1)];
  const file = withFile.text === '' ? null : await fileOf(withFile.text, context);
  const { text, media } = file === null ? cut : withFile;
  const end: MessageChain[] = [];
  if (text !== '') end.push([{ type: 'Plain', text: file === null ? notices.cut : notices.file }]);
  const last = file === null ? media : [file, ...media];
  if (last.length > 0 && (file !== null || text === '')) end.push(last);
  const sent = parts.slice(0, maximum - end.length).map(({ chain }) => chain);
  const details = file === null ? { left_out: text.length } : { in_file: text.length };
  return { messages: [...sent, ...end], reason: 'long_text', details: { messages: maximum, ...details } };
}

/** The content of an answer from one of its parts on. */
function restFrom(parts: readonly Part[], index: number): { text: string; media: MessageChain } {
  const rest = parts[index]?.rest() ?? [];
  const media = rest.filter(({ type }) => besideText.includes(type));
  return { text: textOfChain(rest.filter(({ type }) => !besideText.includes(type))).trim(), media };
}

/** Null when the platform carries no files, or the text is larger than a file may be. */
async function fileOf(text: string, { platform, storeMedia, logger }: StageContext): Promise<MessageElement | null> {
  if (!platform.elements.includes('File')) return null;
  try {
    const { path, size } = await storeMedia('answer.md', new Blob([text]).stream());
    return { type: 'File', name: 'answer.md', path, size };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    logger.warn(
      { reason: error.reason, characters: text.length },
      'failed to send the rest of a long answer as a file',
    );
    return null;
  }
}

/**
 * All texts of a message count together. A text that would start in a message that is nearly full starts in the next
 * one.
 * @param options.most maximum number of parts; the rest of the last one is complete, its chain may not be
 * @param options.following the later messages of the answer
 */
function splitChain(
  chain: MessageChain,
  { limit, most, following }: { limit: number; most: number; following: readonly MessageChain[] },
): Part[] {
  const after = () => following.flatMap((message) => [paragraph, ...message]);
  const parts: Part[] = [{ chain: [], rest: () => [...chain, ...after()] }];
  let used = 0;
  const next = (rest: () => MessageChain) => {
    parts.push({ chain: [], rest: () => [...rest(), ...after()] });
    used = 0;
  };
  for (const [index, element] of chain.entries()) {
    const fromHere = () => chain.slice(index);
    const length = textLength(element);
    if (parts.length === most) break;
    if (element.type !== 'Plain' || used + length <= limit) {
      if (used > 0 && used + length > limit) next(fromHere);
      parts.at(-1)?.chain.push(element);
      used += length;
      continue;
    }
    if (isNearlyFull(used, limit)) next(fromHere);
    const source = element.text;
    let isFirst = true;
    for (const { start, end, before, after: closing } of piecesOf(source, { limit, first: limit - used })) {
      if (!isFirst) next(() => [{ ...element, text: before + source.slice(start) }, ...chain.slice(index + 1)]);
      const text = before + source.slice(start, end) + closing;
      parts.at(-1)?.chain.push({ ...element, text });
      used += text.length;
      isFirst = false;
      if (parts.length === most) break;
    }
  }
  return parts;
}

const paragraph: MessageElement = { type: 'Plain', text: '\n\n' };

/** The content of the first message, whatever follows. */
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

/** Elements outside of the message text; forwarded messages are displayed by the platform. */
const besideText: readonly MessageElement['type'][] = ['Source', 'Quote', 'Image', 'Voice', 'File', 'Forward'];

function textLength(element: MessageElement): number {
  return besideText.includes(element.type) ? 0 : textOfChain([element]).length;
}

function isNearlyFull(used: number, limit: number): boolean {
  return used > limit / 2;
}
