import {
  type ErrorDetail,
  invalidFields,
  type MessageChain,
  type MessageElement,
  type PlatformContext,
} from '@parley/sdk';
import { isLooseBase64 } from '../../lib/base64.ts';
import { mapChain } from './map-chain.ts';

type Inline = Extract<MessageElement, { type: 'Image' | 'Voice' | 'File' | 'WeChatFile' }>;

/** How files without a name are named. */
const defaultNames: Record<Inline['type'], string> = {
  Image: 'image',
  Voice: 'voice',
  File: 'file',
  WeChatFile: 'file',
};

/**
 * Stores the base64 content of a validated chain as files, in quotes and forwards too, so that the ledger holds no
 * content.
 * @param place path of the chain in the request, for error messages
 * @returns the chain with the `path` of each file instead of its content
 * @throws ParleyError `invalid_request` for invalid base64, in which case nothing is stored; `too_large`
 */
export async function storeInlineMedia(
  chain: MessageChain,
  storeMedia: PlatformContext['storeMedia'],
  place = 'message_chain',
): Promise<MessageChain> {
  const details = faultsOf(chain, place);
  if (details.length > 0) throw invalidFields(details.slice(0, 20));
  return mapChain(chain, (element) => {
    const content = contentOf(element);
    // Only these elements have content.
    return content === null ? element : storedFile(element as Inline, content, storeMedia);
  });
}

function faultsOf(chain: MessageChain, place: string): ErrorDetail[] {
  return chain.flatMap((element, index) => {
    const at = `${place}[${index}]`;
    if (element.type === 'Quote') return faultsOf(element.origin as MessageChain, `${at}.origin`);
    if (element.type === 'Forward') {
      return (element.node_list ?? []).flatMap(({ message_chain = [] }, node) =>
        faultsOf(message_chain as MessageChain, `${at}.node_list[${node}].message_chain`),
      );
    }
    const content = contentOf(element);
    if (content === null || isBase64(content)) return [];
    const field = element.type === 'WeChatFile' ? 'file_base64' : 'base64';
    return [{ path: `${at}.${field}`, message: 'must be base64, or a data: address in base64' }];
  });
}

async function storedFile(
  element: Inline,
  content: string,
  storeMedia: PlatformContext['storeMedia'],
): Promise<MessageElement> {
  const given = element.type === 'File' ? element.name : element.type === 'WeChatFile' ? element.file_name : null;
  const { path, size, url } = await storeMedia(given || defaultNames[element.type], decoded(content));
  if (element.type === 'WeChatFile') {
    const { file_base64: _, ...rest } = element;
    return { ...rest, file_path: path, file_size: size };
  }
  const { base64: _, ...rest } = element;
  if (rest.type === 'File') return { ...rest, path, size };
  // Where browsers find a picture.
  const address = rest.type === 'Image' && !rest.url && url !== undefined ? { url } : {};
  return { ...rest, ...address, path };
}

/** The base64 of an element; null when it has none. */
function contentOf(element: MessageElement): string | null {
  if (element.type === 'WeChatFile') return element.file_base64 || null;
  return 'base64' in element ? element.base64 || null : null;
}

function isBase64(content: string): boolean {
  if (!content.startsWith('data:')) return isLooseBase64(content);
  const comma = content.indexOf(',');
  return comma > 0 && content.slice(0, comma).endsWith(';base64') && isLooseBase64(content.slice(comma + 1));
}

async function* decoded(content: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(content.startsWith('data:') ? content.slice(content.indexOf(',') + 1) : content, 'base64');
}
