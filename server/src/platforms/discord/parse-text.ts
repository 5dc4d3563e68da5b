import type { MessageElement } from '@parley/sdk';

/** What the marks in a text stand for. */
export interface MentionNames {
  /** Display names of users, by id. */
  users: ReadonlyMap<string, string>;
  /** Whether `@everyone` and `@here` notified anyone. */
  everyone: boolean;
  roleName(id: string): string | null;
  channelName(id: string): string | null;
}

/** @see https://docs.discord.com/developers/reference#message-formatting */
const marks =
  /<@!?(?<user>\d{1,20})>|<@&(?<role>\d{1,20})>|<#(?<channel>\d{1,20})>|<\/(?<command>[^:<>]{1,100}):\d{1,20}>|<a?:(?<emoji>\w{1,64}):\d{1,20}>|<t:(?<time>-?\d{1,13})(?::[a-zA-Z])?>|@(?<all>everyone|here)\b/g;
/** Mentions after so many elements stay text: a message may only have a number of them. */
const mostElements = 300;
/** The latest valid date, seconds since 1970. */
const latestDate = 8_640_000_000_000;

/** A text of Discord, with mentions of users as elements and other marks in readable form. */
export function textElements(text: string, names: MentionNames): MessageElement[] {
  const elements: MessageElement[] = [];
  let plain = '';
  let end = 0;
  for (const match of text.matchAll(marks)) {
    plain += text.slice(end, match.index);
    end = match.index + match[0].length;
    const element = elements.length < mostElements ? mentionOf(match.groups ?? {}, names) : null;
    if (element === null) {
      plain += readable(match[0], match.groups ?? {}, names);
      continue;
    }
    if (plain !== '') elements.push({ type: 'Plain', text: plain });
    elements.push(element);
    plain = '';
  }
  plain += text.slice(end);
  if (plain !== '') elements.push({ type: 'Plain', text: plain });
  return elements;
}

type Groups = Record<string, string | undefined>;

function mentionOf({ user, all }: Groups, { users, everyone }: MentionNames): MessageElement | null {
  if (user !== undefined) return { type: 'At', target: user, display: users.get(user) ?? user };
  return all !== undefined && everyone ? { type: 'AtAll' } : null;
}

function readable(written: string, groups: Groups, names: MentionNames): string {
  const { user, role, channel, command, emoji, time } = groups;
  if (user !== undefined) return `@${names.users.get(user) ?? user}`;
  if (role !== undefined) return `@${names.roleName(role) ?? role}`;
  if (channel !== undefined) return `#${names.channelName(channel) ?? channel}`;
  if (command !== undefined) return `/${command}`;
  if (emoji !== undefined) return `:${emoji}:`;
  const seconds = Number(time);
  if (time === undefined || !(Math.abs(seconds) <= latestDate)) return written;
  return new Date(seconds * 1000).toISOString();
}
