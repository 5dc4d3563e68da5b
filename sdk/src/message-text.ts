import type { MessageChain, MessageElement } from './message-chain.ts';

/** The plain text of a chain, for rules and models. `Source` is omitted. */
export function textOfChain(chain: MessageChain): string {
  return chain.map(textOfElement).join('');
}

function textOfElement(item: MessageElement): string {
  switch (item.type) {
    case 'Plain':
      return item.text;
    case 'At':
      return `@${item.display || item.target}`;
    case 'AtAll':
      return '@All';
    case 'Image':
      return '[Image]';
    case 'Voice':
      return '[Voice]';
    case 'File':
      return `[File]${item.name ?? ''}`;
    case 'Forward':
      return item.display?.brief ?? '[Chat history]';
    case 'Face':
      return `[${item.face_name || 'Face'}]`;
    case 'Unknown':
      return item.text ?? '';
    case 'Source':
    case 'Quote':
      return '';
    default:
      return `[${item.type}]`;
  }
}
