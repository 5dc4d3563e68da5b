import type { MessageChain, MessageElement } from '@parley/sdk';

/**
 * Replaces the elements of a chain, also those in quotes and forwards, one after the other.
 * @param map returns the element itself to keep it; quotes and forwards are not passed to it
 */
export async function mapChain(
  chain: MessageChain,
  map: (element: MessageElement) => MessageElement | Promise<MessageElement>,
): Promise<MessageChain> {
  const mapped: MessageChain = [];
  for (const element of chain) mapped.push(await mapElement(element, map));
  return mapped;
}

/** The elements of a chain, also those in quotes and forwards, in place of these. */
export function* elementsOf(chain: MessageChain): Generator<MessageElement, void> {
  for (const element of chain) {
    if (element.type === 'Quote') yield* elementsOf(element.origin as MessageChain);
    else if (element.type !== 'Forward' || element.node_list === undefined) yield element;
    else for (const { message_chain = [] } of element.node_list) yield* elementsOf(message_chain as MessageChain);
  }
}

async function mapElement(element: MessageElement, map: Parameters<typeof mapChain>[1]): Promise<MessageElement> {
  if (element.type === 'Quote') return { ...element, origin: await mapChain(element.origin as MessageChain, map) };
  if (element.type !== 'Forward' || element.node_list === undefined) return map(element);
  const node_list: typeof element.node_list = [];
  for (const { message_chain, ...node } of element.node_list) {
    if (message_chain === undefined) node_list.push(node);
    else node_list.push({ ...node, message_chain: await mapChain(message_chain as MessageChain, map) });
  }
  return { ...element, node_list };
}
