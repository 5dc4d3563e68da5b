import { type MessageChain, ParleyError } from '@parley/sdk';

/** @throws ParleyError `unsupported_element` naming the first element that a platform cannot carry */
export function refuseUnsupported(chain: MessageChain, supported: readonly string[]): void {
  const index = chain.findIndex((element) => !supported.includes(element.type));
  if (index < 0) return;
  const message = `this platform cannot carry ${chain[index]?.type}`;
  throw new ParleyError('unsupported_element', `message_chain[${index}]: ${message}`, {
    details: [{ path: `message_chain[${index}].type`, message }],
  });
}
