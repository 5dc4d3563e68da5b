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

/** Whether an element of a chain meets a condition, also one in quotes and forwards. @param is as `map` of {@link mapChain} */
export function someElement(chain: MessageChain, is: (element: MessageElement) => boolean): boolean {
  return chain.some((element) => {
    if (element.type === 'Quote') return someElement(element.origin as MessageChain, is);
    if (element.type !== 'Forward' || element.node_list === undefined) return is(element);
    return element.node_list.some(({ message_chain = [] }) => someElement(message_chain as MessageChain, is));
  });
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
