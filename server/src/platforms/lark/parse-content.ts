import type { MediaReference, MessageElement } from '@parley/sdk';
import { listOf, objectOf, textOf } from '../../lib/loose-values.ts';

/** Where content of a message is until it is fetched. */
export interface MediaPlace {
  message_id: string;
  key: string;
  type: 'image' | 'file';
}

/** A file of a message: its element, and where its content is. */
export interface ParsedFile {
  element: MessageElement;
  reference: MediaReference;
}

/** A mention as the platform lists it beside the content. */
export interface Mention {
  /** Stands in the text, such as `@_user_1`. */
  key: string;
  open_id: string;
  name: string;
}

/** The content of a message: its elements, and the files among them. */
export interface ParsedContent {
  elements: MessageElement[];
  media: MediaReference[];
  /** The kind, where it has no element of its own. */
  unknown?: string;
}

/** The key of a mention of everyone. */
const everyone = ['@_all', 'all'];

/** The parts of a message that its content is read with. */
export interface ContentParts {
  message_id: string;
  /** Kind of the message, such as `text`. */
  type: string;
  /** JSON in a text. */
  content: string;
  mentions: readonly Mention[];
}

/** Reads the content of a message of any kind. Never throws. */
export function parseContent(parts: ContentParts): ParsedContent {
  const content = parsed(parts.content);
  const { message_id, mentions } = parts;
  switch (parts.type) {
    case 'text':
      return withFiles(textElements(textOf(content.text), mentions), []);
    case 'post':
      return parsePost(content, parts);
    case 'image':
      return fileContent('Image', { message_id, key: textOf(content.image_key), type: 'image' }, 'image.png');
    case 'file':
    case 'folder':
      return fileContent(
        'File',
        { message_id, key: textOf(content.file_key), type: 'file' },
        textOf(content.file_name),
      );
    case 'audio':
      return audioContent(message_id, content);
    case 'media':
      return fileContent(
        'File',
        { message_id, key: textOf(content.file_key), type: 'file' },
        textOf(content.file_name) || 'video.mp4',
      );
    case 'interactive':
      return { elements: [{ type: 'Unknown', text: `[Card] ${cardText(content)}`.trim() }], media: [] };
    default:
      return { elements: [{ type: 'Unknown', text: describe(parts.type, content) }], media: [], unknown: parts.type };
  }
}

function parsed(content: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(content));
  } catch {
    return {};
  }
}

/** A text with the mentions in it as elements. */
function textElements(text: string, mentions: readonly Mention[]): MessageElement[] {
  const elements: MessageElement[] = [];
  const pattern = /@_(?:user_\d{1,6}|all)\b/g;
  let end = 0;
  const addText = (until: number) => {
    if (until > end) elements.push({ type: 'Plain', text: text.slice(end, until) });
  };
  for (const { 0: key, index } of text.matchAll(pattern)) {
    const element = mentionOf(key, mentions);
    if (element === null) continue;
    addText(index);
    elements.push(element);
    end = index + key.length;
  }
  addText(text.length);
  return elements;
}

function mentionOf(key: string, mentions: readonly Mention[]): MessageElement | null {
  if (everyone.includes(key)) return { type: 'AtAll' };
  const mention = mentions.find((one) => one.key === key || one.open_id === key);
  if (mention === undefined) return null;
  const { open_id, name } = mention;
  return open_id === '' ? { type: 'Plain', text: `@${name}` } : { type: 'At', target: open_id, display: name };
}

/** Rich text: a title, and lines of parts; some senders put it below the name of a language. */
function parsePost(content: Record<string, unknown>, { message_id, mentions }: ContentParts): ParsedContent {
  const post = Array.isArray(content.content)
    ? content
    : objectOf(Object.values(content).find((one) => listOf(objectOf(one).content).length > 0));
  const elements: MessageElement[] = [];
  const files: ParsedFile[] = [];
  const title = textOf(post.title);
  if (title !== '') elements.push({ type: 'Plain', text: `${title}\n` });
  for (const [index, line] of listOf(post.content).entries()) {
    if (index > 0) elements.push({ type: 'Plain', text: '\n' });
    for (const part of listOf(line)) {
      const read = postPart(objectOf(part), message_id, mentions);
      if ('reference' in read) files.push(read);
      elements.push(...('reference' in read ? [read.element] : read.elements));
    }
  }
  return withFiles(joined(elements), files);
}

function postPart(
  part: Record<string, unknown>,
  message_id: string,
  mentions: readonly Mention[],
): ParsedFile | { elements: MessageElement[] } {
  const { tag } = part;
  const plain = (text: string) => ({ elements: text === '' ? [] : [{ type: 'Plain' as const, text }] });
  switch (tag) {
    case 'at': {
      const key = textOf(part.user_id);
      const known = mentionOf(key, mentions);
      return known === null ? plain(`@${textOf(part.user_name) || key}`) : { elements: [known] };
    }
    case 'a': {
      const [text, href] = [textOf(part.text), textOf(part.href)];
      return plain(text === href || href === '' ? text : `${text} (${href})`);
    }
    case 'img':
      return fileOf('Image', { message_id, key: textOf(part.image_key), type: 'image' }, 'image.png');
    case 'media':
      return fileOf('File', { message_id, key: textOf(part.file_key), type: 'file' }, 'video.mp4');
    case 'code_block':
      return plain(`\`\`\`${textOf(part.language).toLowerCase()}\n${textOf(part.text)}\n\`\`\``);
    case 'emotion':
      return plain(`[${textOf(part.emoji_type)}]`);
    case 'hr':
      return plain('---');
    default:
      return plain(textOf(part.text));
  }
}

function fileContent(type: 'Image' | 'File', place: MediaPlace, name: string): ParsedContent {
  const file = fileOf(type, place, name || 'file');
  return 'reference' in file ? withFiles([file.element], [file]) : withFiles(file.elements, []);
}

/** A file without a key has no content. */
function fileOf(type: 'Image' | 'File', place: MediaPlace, name: string): ParsedFile | { elements: MessageElement[] } {
  if (place.key === '') return { elements: [{ type: 'Unknown', text: `[${type}: not available]` }] };
  const element: MessageElement = type === 'Image' ? { type, image_id: place.key } : { type, id: place.key, name };
  return { element, reference: { id: place.key, name, value: place } };
}

function audioContent(message_id: string, content: Record<string, unknown>): ParsedContent {
  const [key, { duration }] = [textOf(content.file_key), content];
  if (key === '') return { elements: [{ type: 'Unknown', text: '[Voice message: not available]' }], media: [] };
  const length = typeof duration === 'number' && duration >= 0 ? { length: Math.round(duration / 1000) } : {};
  const value: MediaPlace = { message_id, key, type: 'file' };
  return {
    elements: [{ type: 'Voice', voice_id: key, ...length }],
    media: [{ id: key, name: 'voice.opus', value }],
  };
}

function withFiles(elements: MessageElement[], files: readonly ParsedFile[]): ParsedContent {
  return { elements, media: files.map(({ reference }) => reference) };
}

/** Texts that follow one another become one. */
function joined(elements: readonly MessageElement[]): MessageElement[] {
  const result: MessageElement[] = [];
  for (const element of elements) {
    const last = result.at(-1);
    if (element.type === 'Plain' && last?.type === 'Plain') {
      result[result.length - 1] = { type: 'Plain', text: last.text + element.text };
    } else result.push(element);
  }
  return result;
}

/** Content without a matching element, as text. */
function describe(type: string, content: Record<string, unknown>): string {
  const detail = ['name', 'text', 'chat_name', 'topic', 'summary', 'emoji_type']
    .map((key) => textOf(content[key]))
    .find(Boolean);
  const names: Record<string, string> = {
    sticker: 'Sticker',
    share_chat: 'Shared group',
    share_user: 'Shared contact',
    location: 'Location',
    merge_forward: 'Merged forward',
    todo: 'Task',
    vote: 'Poll',
    video_chat: 'Video call',
    share_calendar_event: 'Calendar event',
    calendar: 'Calendar event',
    system: 'System message',
  };
  const name = Object.hasOwn(names, type) ? names[type] : type.slice(0, 60);
  return `[${name}]${detail ? ` ${detail}` : ''}`;
}

/** Cards may be nested as deep as this, and have as many parts that are read. */
const [deepestCard, mostCardParts] = [20, 2000];

/** The texts of a card, in order. */
function cardText(card: Record<string, unknown>): string {
  const texts: string[] = [];
  let parts = 0;
  const collect = (value: unknown, depth: number): void => {
    parts += 1;
    if (depth > deepestCard || parts > mostCardParts) return;
    if (Array.isArray(value)) for (const one of value) collect(one, depth + 1);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) {
        if ((key === 'text' || key === 'content' || key === 'title') && typeof one === 'string') texts.push(one);
        else if (typeof one === 'object') collect(one, depth + 1);
      }
    }
  };
  collect(card, 0);
  return texts.join('\n').trim();
}
