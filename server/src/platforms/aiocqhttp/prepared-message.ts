import { type MessageChain, type MessageElement, textOfChain } from '@parley/sdk';
import { forwardedText } from '../../kit/forwarded-text.ts';
import type { Chat } from './chat.ts';
import type { Fields } from './fields.ts';
import { type RenderOptions, renderChain, renderFile, renderNodes } from './render.ts';
import type { Segment } from './segment.ts';

/** A message that is ready to be sent: the action, and another one if the client does not know it. */
export interface PreparedMessage {
  action: string;
  params: Fields;
  /** For clients that do not know the action. */
  fallback?: PreparedMessage;
  hasFile: boolean;
}

/**
 * Renders one message of QQ, with the content of its files.
 * @param chain one of `splitChain`
 * @throws as {@link renderChain}
 */
export async function prepareMessage(
  chain: MessageChain,
  chat: Chat,
  options: RenderOptions,
): Promise<PreparedMessage> {
  const place = placeOf(chat, options);
  const [first] = chain;
  if (first?.type === 'File') {
    const file = await renderFile(first, options);
    const action = options.isGroup ? 'upload_group_file' : 'upload_private_file';
    const fallback = plainMessage([{ type: 'file', data: file }], place);
    return { action, params: { ...place, ...file }, fallback, hasFile: true };
  }
  if (first?.type === 'Forward') return prepareForward(first, place, options);
  return plainMessage(await renderChain(chain, options), place);
}

async function prepareForward(
  forward: Extract<MessageElement, { type: 'Forward' }>,
  place: Fields,
  options: RenderOptions,
): Promise<PreparedMessage> {
  const messages = await renderNodes(forward, options);
  const asText = plainMessage([{ type: 'text', data: { text: forwardedText(forward).trim() } }], place);
  if (messages.length === 0) return asText;
  const action = options.isGroup ? 'send_group_forward_msg' : 'send_private_forward_msg';
  return { action, params: { ...place, messages, ...displayOf(forward) }, fallback: asText, hasFile: true };
}

/** How the chat is shown before it is opened, for clients that let it be chosen. */
function displayOf({ display = {}, node_list = [] }: Extract<MessageElement, { type: 'Forward' }>): Fields {
  const lines = node_list.slice(0, 4).map(({ sender_name, message_chain = [] }) => {
    const text = textOfChain(message_chain as MessageChain).slice(0, 50);
    return `${sender_name ?? ''}: ${text}`.toWellFormed();
  });
  const news = (display.preview ?? lines).map((line) => ({ text: line }));
  const { title, brief, summary } = display;
  return {
    news,
    ...(title ? { source: title } : {}),
    ...(brief ? { prompt: brief } : {}),
    ...(summary ? { summary } : {}),
  };
}

function plainMessage(message: readonly Segment[], place: Fields): PreparedMessage {
  const action = 'group_id' in place ? 'send_group_msg' : 'send_private_msg';
  const hasFile = message.some(({ data }) => 'file' in data);
  return { action, params: { ...place, message }, hasFile };
}

function placeOf({ session_id }: Chat, { isGroup, ids }: RenderOptions): Fields {
  return isGroup ? { group_id: ids.account(session_id) } : { user_id: ids.account(session_id) };
}

/** The same message without its quote; null if it has none. */
export function withoutQuote({ action, params, hasFile }: PreparedMessage): PreparedMessage | null {
  const message = params.message;
  if (!Array.isArray(message)) return null;
  const rest = message.filter(({ type }: Segment) => type !== 'reply');
  return rest.length === message.length ? null : { action, params: { ...params, message: rest }, hasFile };
}
