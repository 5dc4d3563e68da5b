import type { MessageChain } from '@parley/sdk';

/** Joins several chains with line breaks. `Source` is that of the first. */
export function joinChains(chains: readonly MessageChain[]): MessageChain {
  return chains.flatMap((chain, index) =>
    index === 0 ? chain : [{ type: 'Plain', text: '\n' }, ...chain.filter(({ type }) => type !== 'Source')],
  );
}

/** How many elements a chain has, with those of the chains in it. */
export function sizeOfChain(chain: MessageChain): number {
  let size = 0;
  const pending = [chain];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    size += next.length;
    for (const element of next) {
      if (element.type === 'Quote') pending.push(element.origin as MessageChain);
      if (element.type !== 'Forward') continue;
      for (const { message_chain = [] } of element.node_list ?? []) pending.push(message_chain as MessageChain);
    }
  }
  return size;
}
