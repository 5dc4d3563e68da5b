import type { Reply } from './fake-faults.ts';
import type { World, WorldBot, WorldChannel, WorldFile, WorldMessage, WorldUser } from './world.ts';

/** A request body: its JSON, and the files that came with it by their number. */
export interface Upload {
  payload: Record<string, unknown>;
  files: Map<string, { name: string; type: string; content: Uint8Array }>;
}

const mostCodePoints = 2000;
const mostBytes = 10 * 1024 * 1024;
/** For how long a nonce is known; the documentation says "a few minutes". */
const nonceMs = 180_000;
/** Edits of a message that is older than an hour, per hour. */
const oldEdits = 3;
const hourMs = 3_600_000;

/** Creates, changes and deletes messages of bots, with the limits of the vendor. */
export class FakeMessages {
  readonly #world: World;
  readonly #oldEdits = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  create(bot: WorldBot, channel: WorldChannel, upload: Upload): Reply {
    const refusal = this.#refusalIn(channel) ?? this.#fault(upload, true);
    if (refusal !== null) return refusal;
    const { nonce, enforce_nonce, content = '', message_reference: reference } = upload.payload;
    const earlier = this.#world.messages.find(
      (message) =>
        message.nonce === nonce && message.author === bot.user && this.#world.now() - message.createdAt < nonceMs,
    );
    if (enforce_nonce === true && earlier !== undefined)
      return { status: 200, body: this.#world.messageObject(earlier) };
    const { message_id, fail_if_not_exists = true } = (reference ?? {}) as Record<string, unknown>;
    const original = this.#world.message(String(message_id));
    const exists = original !== undefined && original.channel === channel.id;
    if (reference !== undefined && channel.denied === 'history') {
      return refused(400, 160002, 'Cannot reply without permission to read message history');
    }
    if (reference !== undefined && !exists && fail_if_not_exists === true) {
      return invalidForm('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
    }
    const message = this.#world.addMessage({
      channel: channel.id,
      author: bot.user,
      content: String(content).trim(),
      type: exists ? 19 : 0,
      replyTo: exists ? original.id : null,
      nonce: typeof nonce === 'string' ? nonce : null,
      files: this.#filesOf(upload),
      notifies: this.#notifiedBy(upload.payload, exists ? original : null),
    });
    return { status: 200, body: this.#world.messageObject(message) };
  }

  edit(bot: WorldBot, message: WorldMessage, upload: Upload): Reply {
    if (message.author !== bot.user) return refused(403, 50005, 'Cannot edit a message authored by another user');
    const refusal = this.#fault(upload, false) ?? this.#tooOld(message);
    if (refusal !== null) return refusal;
    const { content, attachments } = upload.payload;
    if (attachments !== undefined) {
      const kept = (attachments as { id: string }[]).flatMap(
        ({ id }) => message.files.find((file) => file.id === id) ?? [],
      );
      message.files = [...kept, ...this.#filesOf(upload)];
    }
    if (content !== undefined) this.#world.editMessage(message, String(content).trim());
    return { status: 200, body: this.#world.messageObject(message) };
  }

  #tooOld({ id, createdAt }: WorldMessage): Reply | null {
    if (this.#world.now() - createdAt < hourMs) return null;
    const edits = (this.#oldEdits.get(id) ?? 0) + 1;
    this.#oldEdits.set(id, edits);
    if (edits <= oldEdits) return null;
    const message = 'Maximum number of edits to messages older than 1 hour reached. Try again later';
    return { status: 429, body: { code: 30046, message, retry_after: 600, global: false } };
  }

  #refusalIn({ denied, type, recipients = [] }: WorldChannel): Reply | null {
    if (denied === 'seeing') return refused(403, 50001, 'Missing Access');
    if (denied === 'sending') return refused(403, 50013, 'Missing Permissions');
    if (type === 15 || type === 4) return refused(400, 50008, 'Cannot send messages in a non-text channel');
    const isClosed = type === 1 && recipients.some(({ id }) => this.#world.closedUsers.has(id));
    return isClosed ? refused(403, 50007, 'Cannot send messages to this user') : null;
  }

  #fault({ payload, files }: Upload, isNew: boolean): Reply | null {
    const { content, nonce, enforce_nonce, allowed_mentions: allowed, attachments } = payload;
    if (content !== undefined && typeof content !== 'string')
      return invalidForm('content', 'BASE_TYPE_STRING', 'Not a string');
    if ([...(content ?? '')].length > mostCodePoints) {
      return invalidForm('content', 'BASE_TYPE_MAX_LENGTH', `Must be ${mostCodePoints} or fewer in length.`);
    }
    if (isNew && (content ?? '').trim() === '' && files.size === 0)
      return refused(400, 50006, 'Cannot send an empty message');
    if (String(nonce ?? '').length > 25)
      return invalidForm('nonce', 'NONCE_TYPE_TOO_LONG', 'Must be 25 or fewer in length.');
    if (enforce_nonce === true && nonce === undefined) return invalidForm('nonce', 'BASE_TYPE_REQUIRED', 'Required');
    if (files.size > 10) return invalidForm('files', 'BASE_TYPE_MAX_LENGTH', 'Must be 10 or fewer in length.');
    const size = [...files.values()].reduce((sum, file) => sum + file.content.length, 0);
    if (size > mostBytes) return refused(413, 40005, 'Request entity too large');
    const named = attachments as { id: string }[] | undefined;
    if (named !== undefined && [...files.keys()].some((number) => !named.some(({ id }) => id === number)))
      return invalidForm('attachments', 'ATTACHMENT_NOT_FOUND', 'A file is not named');
    return mentionFault(allowed);
  }

  #filesOf({ payload, files }: Upload): WorldFile[] {
    const named = new Map(
      ((payload.attachments ?? []) as { id: string; filename: string }[]).map((item) => [item.id, item]),
    );
    return [...files].map(([number, { name, type, content }]) => ({
      id: this.#world.newId(),
      name: named.get(number)?.filename ?? name,
      type,
      content,
      size: content.length,
    }));
  }

  /** Whom a message notifies: by its text, as far as `allowed_mentions` lets it; without these, all of them. */
  #notifiedBy(payload: Record<string, unknown>, original: WorldMessage | null): string[] {
    const content = String(payload.content ?? '');
    const allowed = payload.allowed_mentions as
      | { parse?: string[]; users?: string[]; replied_user?: boolean }
      | undefined;
    const parse = allowed === undefined ? ['everyone', 'users', 'roles'] : (allowed.parse ?? []);
    const named = [...content.matchAll(/<@!?(\d+)>/g)].map(([, id = '']) => id);
    const users = named.filter((id) => parse.includes('users') || allowed?.users?.includes(id));
    const author: WorldUser | undefined = original?.author;
    return [
      ...(/@(everyone|here)\b/.test(content) && parse.includes('everyone') ? ['everyone'] : []),
      ...users,
      ...(author !== undefined && (allowed === undefined || allowed.replied_user === true) ? [author.id] : []),
    ];
  }
}

function mentionFault(allowed: unknown): Reply | null {
  const { parse = [], users = [] } = (allowed ?? {}) as { parse?: string[]; users?: string[] };
  if (parse.includes('users') && users.length > 0) {
    return invalidForm('allowed_mentions', 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', 'Mutually exclusive');
  }
  return users.length > 100 ? invalidForm('allowed_mentions.users', 'BASE_TYPE_BAD_LENGTH', 'Too many') : null;
}

export function refused(status: number, code: number, message: string): Reply {
  return { status, body: { code, message } };
}

export function invalidForm(field: string, code: string, message: string): Reply {
  const errors = field
    .split('.')
    .reduceRight<object>((inner, name) => ({ [name]: inner }), { _errors: [{ code, message }] });
  return { status: 400, body: { code: 50035, message: 'Invalid Form Body', errors } };
}
