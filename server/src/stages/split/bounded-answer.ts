import {
  type AnswerChange,
  type MessageChain,
  type MessageElement,
  ParleyError,
  type StageContext,
  textOfChain,
} from '@parley/sdk';
import { besideText, type MessageSizes, type Part, paragraph } from './split-chain.ts';
import { less } from './text-size.ts';

const notices = {
  file: 'This answer is too long for the chat. The rest is in the attached file.',
  cut: 'This answer is too long for the chat. The rest was omitted.',
};

/** With fewer messages than this, the notice is at the end of the last text, else it is a message of its own. */
const leastWithNotice = 3;
/** What a notice takes in a text; it is the same in all units. */
const noticeSize = 2 + Math.max(notices.file.length, notices.cut.length);

/** The sizes of messages of an answer that is split, so that a notice fits where it has no message of its own. */
export function sizesBesideNotice({ first, following }: MessageSizes, maximum: number): MessageSizes {
  if (maximum >= leastWithNotice) return { first, following };
  return { first: less(first, noticeSize), following: less(following, noticeSize) };
}

/** The first parts of an answer; the text of the others as a file where the platform carries files. */
export async function boundedAnswer(
  parts: readonly Part[],
  maximum: number,
  context: Pick<StageContext, 'platform' | 'storeMedia' | 'logger'>,
): Promise<AnswerChange> {
  const isNoticeApart = maximum >= leastWithNotice;
  const noticeCount = isNoticeApart ? 1 : 0;
  const [withFile, cut] = [restFrom(parts, maximum - 1 - noticeCount), restFrom(parts, maximum - noticeCount)];
  // A single message is for text.
  const file = withFile.text === '' || maximum === 1 ? null : await fileOf(withFile.text, context);
  const { text, media } = file === null ? cut : withFile;
  const content: BoundedContent = {
    notice: text === '' ? [] : [{ type: 'Plain', text: notices[file === null ? 'cut' : 'file'] }],
    file: file === null ? [] : [file, ...media],
    media: file === null && text === '' ? media : [],
  };
  const messages = (isNoticeApart ? withNoticeApart : withNoticeInText)(parts, maximum, content);
  const details = file === null ? { left_out: text.length } : { in_file: text.length };
  return { messages, reason: 'long_text', details: { messages: messages.length, ...details } };
}

/** What follows the parts that are sent. */
interface BoundedContent {
  notice: MessageChain;
  file: MessageChain;
  media: MessageChain;
}

function withNoticeApart(
  parts: readonly Part[],
  maximum: number,
  { notice, file, media }: BoundedContent,
): MessageChain[] {
  const end = [notice, file, media].filter(({ length }) => length > 0);
  return [...parts.slice(0, maximum - end.length).map(({ chain }) => chain), ...end];
}

function withNoticeInText(
  parts: readonly Part[],
  maximum: number,
  { notice, file, media }: BoundedContent,
): MessageChain[] {
  const sent = parts.slice(0, file.length > 0 ? maximum - 1 : maximum).map(({ chain }) => chain);
  const last = [...(sent.pop() ?? []), ...(notice.length > 0 ? [paragraph, ...notice] : []), ...media];
  return [...sent, last, ...(file.length > 0 ? [file] : [])];
}

/** The content of an answer from one of its parts on. */
function restFrom(parts: readonly Part[], index: number): { text: string; media: MessageChain } {
  const rest = parts[index]?.rest() ?? [];
  const media = rest.filter(({ type }) => besideText.includes(type));
  return { text: textOfChain(rest.filter(({ type }) => !besideText.includes(type))).trim(), media };
}

/** Null when the platform carries no files, or the text is larger than a file may be. */
async function fileOf(
  text: string,
  { platform, storeMedia, logger }: Pick<StageContext, 'platform' | 'storeMedia' | 'logger'>,
): Promise<MessageElement | null> {
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
