import type { FakeChat, FakeMedia, FakeMessage, ShownMessage } from '@parley/sdk/testing';
import type { World, WorldBot, WorldFile, WorldMessage, WorldUser } from './world.ts';

const types = { image: 'image/png', voice: 'audio/ogg', file: 'text/plain' } as const;

/** What a user writes. @returns the message, and its object as an event has it */
export function userMessage(
  world: World,
  bot: WorldBot,
  message: FakeMessage,
  person: FakeChat,
): { written: WorldMessage; object: Record<string, unknown> } {
  const { chat = person, kind, sent_at, depth = 0 } = message;
  const direct = chat.session_type === 'person' ? world.directChannel(bot, world.user).id : null;
  const mention = mentionOf(message.mention, world, bot);
  const written = world.addMessage({
    channel: direct ?? (chat.thread_id || chat.session_id),
    author: senderOf(message, world, bot),
    content: kind === 'empty' ? '' : `${mention.text}${message.text ?? (message.media ? '' : 'Hello')}`,
    type: kind === 'unknown' ? 99 : message.quotes === undefined ? 0 : 19,
    replyTo: message.quotes === 'gone' ? world.newId() : (message.quotes ?? null),
    files: (message.media ?? []).map((media) => fileOf(media, world)),
    more: mention.more,
    mentions: mention.users,
    ...(sent_at === undefined ? {} : { createdAt: sent_at.getTime() }),
  });
  if (message.media?.some(({ fault }) => fault === 'gone')) written.isDeleted = true;
  let object = world.messageObject(written);
  if (kind === 'malformed') {
    object = { ...object, content: { a: 1 }, mentions: 'all', attachments: [5, null, { id: 7 }], timestamp: [] };
  }
  for (let level = 0; level < depth; level += 1)
    object = { ...world.messageObject(written), referenced_message: object };
  return { written, object };
}

/** A message as users see it. */
export function shownMessage(world: World, message: WorldMessage): ShownMessage {
  const { id, files, replyTo, notifies, history, content } = message;
  return {
    id,
    chat: chatOf(world, message),
    text: seen(content),
    history: history.map(({ text, at }) => ({ text: seen(text), at })),
    media: files.map(({ name, type, content: bytes }) => ({ kind: kindOf(type), name, content: bytes })),
    quotes: replyTo,
    notifies,
    isUnfinished: false,
  };
}

/** Without the marks that are shown as formatting. */
function seen(text: string): string {
  return text.replace(/\*\*(.+?)\*\*/g, '$1').replace(/^#{1,3} /gm, '');
}

function chatOf(world: World, { channel: id }: WorldMessage): FakeChat {
  const channel = world.channels.get(id);
  if (channel?.type === 1) {
    const user = channel.recipients?.find(({ bot }) => bot !== true);
    return { session_type: 'person', session_id: user?.id ?? '', thread_id: '' };
  }
  const isThread = [10, 11, 12].includes(channel?.type ?? 0);
  if (isThread) return { session_type: 'group', session_id: channel?.parent_id ?? '', thread_id: id };
  return { session_type: 'group', session_id: id, thread_id: '' };
}

function kindOf(type: string): ShownMessage['media'][number]['kind'] {
  if (type.startsWith('image/')) return 'image';
  return type.startsWith('audio/') ? 'voice' : 'file';
}

function senderOf({ sender = 'user', sender_name }: FakeMessage, world: World, bot: WorldBot): WorldUser {
  if (sender === 'the_bot') return { ...bot.user };
  if (sender === 'another_bot') return world.otherBot;
  return sender_name === undefined ? world.user : { ...world.user, global_name: sender_name };
}

function mentionOf(mention: FakeMessage['mention'], world: World, bot: WorldBot) {
  const none = { text: '', more: {}, users: [] as WorldUser[] };
  const [role] = world.roles;
  switch (mention) {
    case 'account':
      return { ...none, text: `<@${bot.user.id}> `, users: [bot.user] };
    case 'other':
      return { ...none, text: `<@${world.otherUser.id}> `, users: [world.otherUser] };
    case 'name':
      return { ...none, text: `@${bot.user.username} ` };
    case 'role':
      return { ...none, text: `<@&${role.id}> `, more: { mention_roles: [role.id] } };
    case 'everyone':
      return { ...none, text: '@everyone ', more: { mention_everyone: true } };
    default:
      return none;
  }
}

function fileOf({ kind, name, content, fault }: FakeMedia, world: World): WorldFile {
  const isWrong = fault === 'wrong_type';
  return {
    id: world.newId(),
    name,
    type: isWrong ? 'video/mp4' : types[kind],
    content,
    size: isWrong ? 1 : content.length,
    fault: isWrong ? undefined : fault,
  };
}
