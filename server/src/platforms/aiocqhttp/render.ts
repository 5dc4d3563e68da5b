import { type MessageChain, type MessageElement, type MessageElementType, ParleyError, textOfChain } from '@parley/sdk';
import {
  bytesOf,
  type FileSource,
  type OutgoingFile,
  type OutgoingFileContext,
  outgoingFile,
  requiredFile,
} from '../../kit/media/outgoing-file.ts';
import { storableText } from '../../lib/storable-text.ts';
import { messageIdOf } from './chat.ts';
import type { Segment } from './segment.ts';
import type { WireIds } from './wire-ids.ts';

/** The elements that QQ can carry, in one direction or both. */
export const oneBotElements: readonly MessageElementType[] = [
  'Source',
  'Plain',
  'Quote',
  'At',
  'AtAll',
  'Image',
  'Voice',
  'File',
  'Forward',
  'Face',
  'Unknown',
];

export interface RenderOptions {
  context: OutgoingFileContext;
  ids: WireIds;
  isGroup: boolean;
  /** The QQ number of the bot; empty if unknown. */
  account: string;
}

const text = (value: string): Segment => ({ type: 'text', data: { text: storableText(value) } });

/**
 * The segments of a message, with the content of its files. Texts are never codes, so no text of a model can notify
 * anyone.
 * @throws ParleyError `unsupported_element`, `address_not_allowed`; DeliveryError `not_sent`
 */
export async function renderChain(chain: MessageChain, options: RenderOptions): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const element of chain) segments.push(...(await segmentsOf(element, options)));
  return segments;
}

async function segmentsOf(element: MessageElement, options: RenderOptions): Promise<Segment[]> {
  switch (element.type) {
    case 'Source':
      return [];
    case 'Quote': {
      const id = messageIdOf(element.id);
      return id === null ? [] : [{ type: 'reply', data: { id } }];
    }
    case 'At':
      if (!options.isGroup || element.target === 'all') break;
      return [{ type: 'at', data: { qq: String(element.target) } }];
    case 'AtAll':
      if (!options.isGroup) break;
      return [{ type: 'at', data: { qq: 'all' } }];
    case 'Image':
      return [{ type: 'image', data: { file: await contentOf(element, 'image', options) } }];
    case 'Voice':
      return [{ type: 'record', data: { file: await contentOf(element, 'voice', options) } }];
    case 'File': {
      const { file, name } = await renderFile(element, options);
      return [{ type: 'file', data: { file, name } }];
    }
    case 'Forward':
      return renderNodes(element, options);
    case 'Face':
      return [faceOf(element)];
    default:
  }
  return [text(textOfChain([element]))];
}

function faceOf({ face_type = 'face', face_id = 0 }: Extract<MessageElement, { type: 'Face' }>): Segment {
  return { type: face_type, data: face_type === 'face' ? { id: String(face_id) } : {} };
}

/** A file for an upload: its content, and how it is named. @throws as {@link renderChain} */
export async function renderFile(
  source: Extract<MessageElement, { type: 'File' }>,
  { context }: RenderOptions,
): Promise<{ file: string; name: string }> {
  const file = await requiredFile(source, 'file', context);
  return { file: await encoded(file), name: file.name };
}

/** The messages of a forwarded chat, those inside one another too. @throws as {@link renderChain} */
export async function renderNodes(
  { node_list = [] }: Extract<MessageElement, { type: 'Forward' }>,
  options: RenderOptions,
): Promise<Segment[]> {
  const nodes: Segment[] = [];
  for (const { sender_id, sender_name, message_chain = [] } of node_list) {
    const user = String(sender_id || options.account || 0);
    const name = storableText(sender_name || user);
    const content = await renderChain(message_chain as MessageChain, options);
    // Clients differ in how they name the fields.
    nodes.push({ type: 'node', data: { user_id: user, nickname: name, uin: user, name, content } });
  }
  return nodes;
}

async function contentOf(
  source: FileSource & { image_id?: string | null; voice_id?: string | null },
  kind: string,
  { context }: RenderOptions,
): Promise<string> {
  const file = await outgoingFile(source, kind, context);
  if (file !== null) return encoded(file);
  // The client may know a file by its name. An address here would be one of its disk.
  const [, name] = /^(?:\d+:)?([\w.{}-]{1,128})$/.exec(source.image_id || source.voice_id || '') ?? [];
  if (name === undefined) throw noContent();
  return name;
}

async function encoded(file: OutgoingFile): Promise<string> {
  return `base64://${(await bytesOf(file)).toString('base64')}`;
}

function noContent(): ParleyError {
  return new ParleyError('unsupported_element', 'A file of the message has no content');
}
