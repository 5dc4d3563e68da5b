import { type MessageChain, type MessageElement, textOfChain } from '@parley/sdk';

type Forward = Extract<MessageElement, { type: 'Forward' }>;

/** Forwarded messages for platforms that cannot show them: one a line, those inside one another indented. */
export function forwardedText({ display, node_list = [] }: Forward, depth = 0): string {
  const indent = '  '.repeat(depth);
  const lines = [indent + (display?.title || display?.brief || '[Chat history]')];
  for (const { sender_name, sender_id, message_chain = [] } of node_list) {
    const chain = message_chain as MessageChain;
    const text = textOfChain(chain.filter(({ type }) => type !== 'Forward'));
    lines.push(`${indent}${sender_name || sender_id || '?'}: ${text}`);
    for (const inner of chain) if (inner.type === 'Forward') lines.push(forwardedText(inner, depth + 1));
  }
  return `${lines.join('\n')}\n`;
}
