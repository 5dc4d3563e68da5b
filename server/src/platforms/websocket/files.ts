import { type MessageChain, type MessageElement, ParleyError, type StoredMedia } from '@parley/sdk';

/** Finds a file of the service by the `path` of an element; null when there is none. */
type ReadMedia = (path: string) => Promise<StoredMedia | null>;

/** A message names a file that is not stored here, or no longer. */
export class MissingFileError extends ParleyError {
  /** The `path` of its element. */
  readonly file: string;

  constructor(file: string, place: string, kind: 'image' | 'file') {
    const message = `names no ${kind} that was uploaded here`;
    super('invalid_request', `${place}.path: ${message}`, { details: [{ path: `${place}.path`, message }] });
    this.file = file;
  }
}

/**
 * Finds the files that have a `path`, in quotes and forwards too, and sets the URL of images.
 * @param place of the chain in the frame, for the error message
 * @throws MissingFileError when a path is not a file of the service, or that of an image is no image
 */
export async function withFileAddresses(chain: MessageChain, read: ReadMedia, place: string): Promise<MessageChain> {
  const found: MessageChain = [];
  for (const [index, element] of chain.entries()) {
    found.push(await withAddress(element, read, `${place}[${index}]`));
  }
  return found;
}

async function withAddress(element: MessageElement, read: ReadMedia, place: string): Promise<MessageElement> {
  if (element.type === 'Image' && element.path) {
    const { url } = (await read(element.path)) ?? {};
    if (url === undefined) throw new MissingFileError(element.path, place, 'image');
    return { ...element, url };
  }
  if ((element.type === 'File' || element.type === 'Voice') && element.path) {
    if ((await read(element.path)) === null) throw new MissingFileError(element.path, place, 'file');
    return element;
  }
  if (element.type === 'Quote') {
    const origin = await withFileAddresses(element.origin as MessageChain, read, `${place}.origin`);
    return { ...element, origin };
  }
  if (element.type === 'Forward' && element.node_list !== undefined) {
    const nodes: typeof element.node_list = [];
    for (const [index, node] of element.node_list.entries()) {
      const inner = (node.message_chain ?? []) as MessageChain;
      const message_chain = await withFileAddresses(inner, read, `${place}.node_list[${index}].message_chain`);
      nodes.push(node.message_chain === undefined ? node : { ...node, message_chain });
    }
    return { ...element, node_list: nodes };
  }
  return element;
}
