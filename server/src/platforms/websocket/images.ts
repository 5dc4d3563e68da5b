import { invalidFields, type MessageChain, type MessageElement, type StoredMedia } from '@parley/sdk';

/** Finds a file of the service by the `path` of an element; null when there is none. */
type ReadMedia = (path: string) => Promise<StoredMedia | null>;

/**
 * Sets the URL of images that have a `path`, in quotes and forwards too.
 * @param place of the chain in the frame, for the error message
 * @throws ParleyError `invalid_request` when a path is not an image of the service
 */
export async function withImageAddresses(chain: MessageChain, read: ReadMedia, place: string): Promise<MessageChain> {
  const found: MessageChain = [];
  for (const [index, element] of chain.entries()) {
    found.push(await withAddress(element, read, `${place}[${index}]`));
  }
  return found;
}

async function withAddress(element: MessageElement, read: ReadMedia, place: string): Promise<MessageElement> {
  if (element.type === 'Image' && element.path) {
    const { url } = (await read(element.path)) ?? {};
    if (url === undefined) {
      throw invalidFields([{ path: `${place}.path`, message: 'names no image that was uploaded here' }]);
    }
    return { ...element, url };
  }
  if (element.type === 'Quote') {
    const origin = await withImageAddresses(element.origin as MessageChain, read, `${place}.origin`);
    return { ...element, origin };
  }
  if (element.type === 'Forward' && element.node_list !== undefined) {
    const nodes: typeof element.node_list = [];
    for (const [index, node] of element.node_list.entries()) {
      const inner = (node.message_chain ?? []) as MessageChain;
      const message_chain = await withImageAddresses(inner, read, `${place}.node_list[${index}].message_chain`);
      nodes.push(node.message_chain === undefined ? node : { ...node, message_chain });
    }
    return { ...element, node_list: nodes };
  }
  return element;
}
