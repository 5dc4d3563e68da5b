import { type MessageChain, type MessageElement, textOfChain } from '@parley/sdk';

/** An answer as Markdown, with its files as data links. */
export function markdownOf(chain: MessageChain): string {
  const parts: string[] = [];
  let text = '';
  for (const element of chain) {
    const link = linkTo(element);
    if (link === null) {
      text += textOfChain([element]);
      continue;
    }
    parts.push(text, link);
    text = '';
  }
  return [...parts, text].filter((part) => part !== '').join('\n\n');
}

/** Null for text. */
function linkTo(element: MessageElement): string | null {
  if (element.type !== 'Image' && element.type !== 'Voice' && element.type !== 'File') return null;
  const address = element.base64 ? dataAddress(element.base64, element.type === 'Image') : element.url;
  if (!address) return null;
  const name = (element.type === 'File' && element.name) || element.type.toLowerCase();
  const label = name.replace(/[[\]\\\n\r]/g, ' ');
  return `${element.type === 'Image' ? '!' : ''}[${label}](${address.replace(/[\s()<>]/g, percentEncoded)})`;
}

/** What would end the address; a function of the language leaves brackets as they are. */
function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function dataAddress(base64: string, isImage: boolean): string {
  if (base64.startsWith('data:')) return base64;
  return `data:${isImage ? 'image/png' : 'application/octet-stream'};base64,${base64}`;
}
