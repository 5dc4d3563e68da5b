import { type MessageChain, type MessageElement, maximumChainDepth } from '@parley/sdk';

/** Text fields of elements that are visible to users. */
const readable: Partial<Record<MessageElement['type'], readonly string[]>> = {
  Plain: ['text'],
  Unknown: ['text'],
  At: ['display'],
  File: ['name'],
  Face: ['face_name'],
  WeChatLink: ['link_title', 'link_desc'],
  WeChatMiniPrograms: ['display_name', 'title'],
  WeChatFile: ['file_name'],
};

type Fields = Record<string, unknown>;
type Forward = Extract<MessageElement, { type: 'Forward' }>;
type Change = (text: string) => Promise<string>;

/**
 * Joins texts that are read as one into one element: those that are only separated by elements without text.
 */
export function joinTexts(chain: MessageChain): MessageChain {
  const joined: MessageChain = [];
  let last = -1;
  for (const element of chain) {
    const before = joined[last];
    if (element.type === 'Plain' && before?.type === 'Plain') {
      joined[last] = { ...before, text: before.text + element.text };
      continue;
    }
    joined.push(element);
    if (element.type === 'Plain') last = joined.length - 1;
    else if (element.type !== 'Quote' && element.type !== 'Source') last = -1;
  }
  return joined;
}

/** Changes all visible texts of a chain, nested chains included. Chains nested too deeply are dropped. */
export async function changeTexts(chain: MessageChain, change: Change, depth = 1): Promise<MessageChain> {
  if (depth > maximumChainDepth) return [];
  const inner = (nested: unknown) => changeTexts(nested as MessageChain, change, depth + 1);
  const changed: MessageChain = [];
  for (const element of joinTexts(chain)) {
    if (element.type === 'Quote') changed.push({ ...element, origin: await inner(element.origin) });
    else if (element.type === 'Forward') changed.push(await changeForward(element, change, inner));
    else changed.push((await changeFields(element, readable[element.type] ?? [], change)) as MessageElement);
  }
  return changed;
}

async function changeForward(
  { display, node_list, ...element }: Forward,
  change: Change,
  inner: (nested: unknown) => Promise<MessageChain>,
): Promise<Forward> {
  const changed: Forward = { ...element };
  if (display !== undefined) {
    changed.display = await changeFields(display, ['title', 'brief', 'source', 'summary'], change);
    const preview: string[] = [];
    for (const line of display.preview ?? []) preview.push(await change(line));
    if (display.preview !== undefined) changed.display.preview = preview;
  }
  if (node_list !== undefined) {
    changed.node_list = [];
    for (const node of node_list) {
      const named = await changeFields(node, ['sender_name'], change);
      const { message_chain } = node;
      changed.node_list.push(
        message_chain === undefined ? named : { ...named, message_chain: await inner(message_chain) },
      );
    }
  }
  return changed;
}

async function changeFields<Value extends object>(value: Value, fields: readonly string[], change: Change) {
  const changed: Fields = { ...(value as Fields) };
  for (const field of fields) {
    const text = changed[field];
    if (typeof text === 'string') changed[field] = await change(text);
  }
  return changed as Value;
}

/** The texts that a sender wrote or forwarded; quoted ones only on request. */
export function writtenTexts(chain: MessageChain, withQuotes: boolean, depth = 1): string[] {
  if (depth > maximumChainDepth) return [];
  return joinTexts(chain).flatMap((element) => {
    if (element.type === 'Plain') return [element.text];
    if (element.type === 'Quote') {
      return withQuotes ? writtenTexts(element.origin as MessageChain, withQuotes, depth + 1) : [];
    }
    if (element.type !== 'Forward') return [];
    return (element.node_list ?? []).flatMap(({ message_chain = [] }) =>
      writtenTexts(message_chain as MessageChain, withQuotes, depth + 1),
    );
  });
}
