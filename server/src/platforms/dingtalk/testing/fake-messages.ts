import { type FakeChat, type FakeMessage, NotOfThisPlatform } from '@parley/sdk/testing';

/** What a message to the bot is made with. */
export interface MessageParts {
  id: string;
  chat: FakeChat;
  userId: string;
  robotCode: string;
  /** Download codes of its files. */
  codes: readonly string[];
  /** The session webhook; null for none. */
  webhook: { url: string; until: number } | null;
  /** The message that it quotes; null for none. */
  quoted: { id: string; isOfBot: boolean; text: string } | null;
  now: number;
}

/** Ids as senders are named to robots. */
const [ada, bob, robot] = ['$:LWCP_v1:$ada', '$:LWCP_v1:$bob', '$:LWCP_v1:$robot'];
const robotName = 'Parley';

/** The data of a message to the bot, as the documentation of received messages lists its fields. */
export function messageData(message: FakeMessage, parts: MessageParts): Record<string, unknown> {
  const { id, chat, userId, robotCode, webhook, now } = parts;
  if (message.sender !== undefined && message.sender !== 'user') throw new NotOfThisPlatform('messages of robots');
  const isPerson = chat.session_type === 'person';
  const isMalformed = message.kind === 'malformed';
  return {
    msgId: id,
    conversationType: isPerson ? '1' : '2',
    conversationId: isPerson ? `cid_${userId}` : chat.session_id,
    ...(isPerson ? {} : { conversationTitle: 'Team' }),
    senderId: ada,
    senderStaffId: isMalformed ? { id: 7 } : userId,
    senderNick: message.sender_name ?? 'Ada',
    senderCorpId: 'dingcorp',
    chatbotUserId: robot,
    chatbotCorpId: 'dingcorp',
    robotCode,
    isAdmin: false,
    createAt: message.sent_at?.getTime() ?? now,
    ...mentioned(message),
    ...(webhook === null ? {} : { sessionWebhook: webhook.url, sessionWebhookExpiredTime: webhook.until }),
    ...(isMalformed ? { msgtype: 'text', text: ['Hello'], atUsers: 'everyone' } : contentOf(message, parts)),
  };
}

function mentioned({ mention }: FakeMessage): Record<string, unknown> {
  switch (mention) {
    case 'account':
      return { isInAtList: true, atUsers: [{ dingtalkId: robot }] };
    case 'other':
      return { isInAtList: false, atUsers: [{ dingtalkId: bob, staffId: 'user_bob' }] };
    case 'role':
    case 'everyone':
      throw new NotOfThisPlatform(`mentions of ${mention}`);
    default:
      return { isInAtList: false };
  }
}

function contentOf(message: FakeMessage, { codes, quoted }: MessageParts): Record<string, unknown> {
  const { media = [], kind, depth } = message;
  const [first] = media;
  const [code] = codes;
  if (kind === 'unknown') return { msgtype: 'hologram', content: {} };
  if (first === undefined) {
    // The mention of the bot itself is left out, the space behind it is not.
    const lead = { account: ' ', name: `@${robotName} ` }[String(message.mention)] ?? '';
    const content = kind === 'empty' ? '' : lead + (message.text ?? 'Hello');
    return { msgtype: 'text', text: { content, ...(depth === undefined ? quoteOf(quoted) : nested(depth)) } };
  }
  if (first.kind === 'voice') {
    return { msgtype: 'audio', content: { downloadCode: code, duration: 1500, recognition: 'hello' } };
  }
  // Files have no caption.
  if (first.kind === 'file')
    return { msgtype: 'file', content: { downloadCode: code, fileName: first.name, fileId: '1' } };
  const isAlone = media.length === 1 && message.text === undefined;
  if (isAlone) return { msgtype: 'picture', content: { downloadCode: code, pictureDownloadCode: code } };
  const text = message.text === undefined ? [] : [{ text: message.text }];
  const pictures = codes.map((downloadCode) => ({ type: 'picture', downloadCode, pictureDownloadCode: downloadCode }));
  return { msgtype: 'richText', content: { richText: [...text, ...pictures] } };
}

function quoteOf(quoted: MessageParts['quoted']): Record<string, unknown> {
  if (quoted === null) return {};
  const { id: msgId, isOfBot, text } = quoted;
  // The content of a message that is gone is not delivered.
  if (msgId === 'gone') return { isReplyMsg: true };
  const message = isOfBot
    ? { msgType: 'interactiveCard', senderId: robot }
    : { msgType: 'text', senderId: ada, content: { content: text } };
  return { isReplyMsg: true, repliedMsg: { msgId, createdAt: 1, ...message } };
}

/** A quoted card whose elements are nested. */
function nested(depth: number): Record<string, unknown> {
  let cardContent: Record<string, unknown> = { elementType: 'TEXT', value: 'Deep' };
  for (let level = 0; level < depth; level += 1) cardContent = { elementType: 'BOX', children: [cardContent] };
  const repliedMsg = { msgId: 'deep', msgType: 'interactiveCard', content: { cardContent } };
  return { content: 'Look at this', isReplyMsg: true, repliedMsg };
}
