import { invalidFields, type MessageChain, type MessageElement, maximumChainElements, ParleyError } from '@parley/sdk';
import { isBase64 } from '../../lib/base64.ts';
import { fileTooLarge, maximumFileBytes } from '../files/file.ts';
import { imageExtensionOf } from '../files/image-type.ts';
import { mediaTypeOf } from '../files/media-type.ts';
import { isRecord } from './parameters.ts';

/** The names that one of the two protocols has for the parts of a message. */
export interface PartNames {
  text: readonly string[];
  refusal: readonly string[];
  image: (part: Record<string, unknown>, path: string) => Source | null;
  file: (part: Record<string, unknown>, path: string) => Source | null;
}

/** Where a picture or a file is. */
interface Source {
  value: unknown;
  path: string;
  name?: unknown;
}

/** Enough of a file to detect its type; base64 is read in fours. */
const headCharacters = 8192;
const longestAddress = 2048;

/**
 * The content of a message from a program.
 * @param path path in the body, for error messages
 * @param takesFiles false for text only
 * @throws ParleyError `invalid_request` that names the part, or `too_large`
 */
export async function chainOfContent(
  content: unknown,
  path: string,
  names: PartNames,
  { takesFiles }: { takesFiles: boolean },
): Promise<MessageChain> {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'Plain', text: content }];
  if (!Array.isArray(content)) throw fault(path, 'must be a text or a list of parts');
  if (content.length > maximumChainElements) throw fault(path, `may have at most ${maximumChainElements} parts`);
  const chain: MessageChain = [];
  for (const [index, part] of content.entries()) {
    const element = await elementOf(part, `${path}[${index}]`, names, takesFiles);
    if (element !== null) chain.push(element);
  }
  return chain;
}

async function elementOf(
  part: unknown,
  path: string,
  names: PartNames,
  takesFiles: boolean,
): Promise<MessageElement | null> {
  if (!isRecord(part) || typeof part.type !== 'string') throw fault(path, 'must be an object with a type');
  const field = names.text.includes(part.type) ? 'text' : names.refusal.includes(part.type) ? 'refusal' : null;
  if (field !== null) {
    const text = part[field];
    if (typeof text !== 'string') throw fault(`${path}.${field}`, 'must be a text');
    return text === '' ? null : { type: 'Plain', text };
  }
  const image = takesFiles ? names.image(part, path) : null;
  if (image !== null) return imageOf(image);
  const file = takesFiles ? names.file(part, path) : null;
  if (file !== null) return fileOf(file);
  throw fault(`${path}.type`, `parts of the type ${part.type} are not supported here`);
}

async function imageOf({ value, path }: Source): Promise<MessageElement> {
  if (typeof value === 'string' && value.startsWith('data:')) {
    const data = base64Of(value, path);
    if (imageExtensionOf(await mediaTypeOf(Buffer.from(data.slice(0, headCharacters), 'base64'))) === null) {
      throw fault(path, 'must be a PNG, JPEG, GIF or WebP image');
    }
    return { type: 'Image', base64: data };
  }
  return { type: 'Image', url: addressOf(value, path) };
}

function fileOf({ value, path, name }: Source): MessageElement {
  if (name != null && (typeof name !== 'string' || name.length > 255)) {
    throw fault(path, 'the name must be a text of at most 255 characters');
  }
  const named = { name: name || 'file' };
  if (typeof value === 'string' && /^https:/i.test(value))
    return { type: 'File', ...named, url: addressOf(value, path) };
  if (typeof value !== 'string') throw fault(path, 'must be the content of the file as base64');
  return { type: 'File', ...named, base64: base64Of(value, path) };
}

/** The content itself, of a `data:` address or as it is. */
function base64Of(value: string, path: string): string {
  const comma = value.startsWith('data:') ? value.indexOf(',') : -1;
  if (value.startsWith('data:') && !value.slice(0, comma).endsWith(';base64')) {
    throw fault(path, 'must be a data address in base64, or an https address');
  }
  const data = value.slice(comma + 1);
  // Base64 is a third longer than its content.
  if (data.length > Math.ceil(maximumFileBytes / 3) * 4) throw tooLarge(path);
  if (!isBase64(data)) throw fault(path, 'must be base64');
  return data;
}

function addressOf(value: unknown, path: string): string {
  const address = typeof value === 'string' && value.length <= longestAddress ? URL.parse(value) : null;
  if (address?.protocol === 'https:') return address.href;
  throw fault(path, 'must be a data address in base64, or an https address');
}

function tooLarge(path: string): ParleyError {
  const { message } = fileTooLarge();
  return new ParleyError('too_large', message, { details: [{ path, message }] });
}

export function fault(path: string, message: string): ParleyError {
  return invalidFields([{ path, message }]);
}
