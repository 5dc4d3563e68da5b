import {
  type AnswerChange,
  type AnswerFilter,
  type MessageChain,
  type MessageElementType,
  type PipelineMessage,
  type Stage,
  type StageContext,
  textOfChain,
} from '@parley/sdk';
import { type LongTextConfig, longTextConfig } from './config.ts';
import { drawText } from './draw-text.ts';

export interface LongTextOptions {
  /** Folder of the fonts that pipelines may name. It need not be there. */
  fontDirectory: string;
}

type Form = 'forward' | 'image';
/** Converts a long text and names the form used; null when it is sent as text. */
type Change = (text: string) => Promise<{ form: Form; messages: MessageChain[] } | null>;

/** Maximum length of the preview of a forwarded message, characters. */
const longestPreview = 60;

/** Sends long answers as a forwarded message or as pictures, if the platform supports it. */
export function createLongText({ fontDirectory }: LongTextOptions): Stage<typeof longTextConfig> {
  return {
    name: 'long-text',
    label: { en_US: 'Long answers', zh_Hans: '长回复', ja_JP: '長い回答' },
    config: longTextConfig,
    answer(_message: PipelineMessage, context): AnswerFilter | null {
      const { strategy } = context.config.output['long-text-processing'];
      const can = (type: MessageElementType) => context.platform.elements.includes(type);
      const forward: Change | null = can('Forward') ? async (text) => forwarded(text, context) : null;
      const drawn: Change = async (text) => (await drawnText(text, context, fontDirectory)) ?? forward?.(text) ?? null;
      const change = strategy === 'image' && can('Image') ? drawn : forward;
      if (strategy === 'none' || change === null) return null;
      const { threshold } = context.config.output['long-text-processing'];
      return { needsWholeText: true, finish: (messages) => finished(messages, threshold, change) };
    },
  };
}

async function finished(messages: MessageChain[], threshold: number, change: Change): Promise<AnswerChange> {
  const changed: MessageChain[] = [];
  let details: Record<string, unknown> | undefined;
  for (const message of messages) {
    const characters = lengthOfText(message);
    const other = characters > threshold ? await change(textOfChain(message)) : null;
    changed.push(...(other?.messages ?? [message]));
    if (other !== null) details = { form: other.form, characters };
  }
  return details === undefined ? { messages } : { messages: changed, reason: 'long_text', details };
}

/** Characters of a message that is nothing but text; 0 for others. */
function lengthOfText(message: MessageChain): number {
  return message.every(({ type }) => type === 'Plain') ? [...textOfChain(message)].length : 0;
}

function forwarded(text: string, { botAccountId }: StageContext): Awaited<ReturnType<Change>> {
  const beginning = text.trimStart().split('\n', 1)[0] ?? '';
  const preview = [...beginning].slice(0, longestPreview).join('');
  const display = { title: 'Answer', brief: '[Answer]', source: 'Answer', preview: [preview], summary: 'View answer' };
  const node = {
    sender_id: botAccountId ?? '',
    sender_name: 'Bot',
    message_chain: [{ type: 'Plain' as const, text }],
  };
  return { form: 'forward', messages: [[{ type: 'Forward', display, node_list: [node] }]] };
}

/** Each page is a separate message: some platforms show several pictures of one message small. */
async function drawnText(text: string, context: StageContext<LongTextConfig>, fontDirectory: string) {
  const { logger, signal, config } = context;
  const fontPath = config.output['long-text-processing']['font-path'];
  const pages = await drawText(text, { fontDirectory, fontPath, logger, signal });
  if (pages === null) return null;
  const messages = pages.map(
    (png): MessageChain => [{ type: 'Image', base64: `data:image/png;base64,${png.toString('base64')}` }],
  );
  return { form: 'image' as const, messages };
}
