import { createHash } from 'node:crypto';
import type {
  APIMessage,
  RESTPatchAPIChannelMessageJSONBody,
  RESTPostAPIChannelMessageJSONBody,
} from 'discord-api-types/v10';
import type { OutgoingFile } from '../../kit/media/outgoing-file.ts';
import type { DiscordApi } from './discord-api.ts';
import { errorCodes, isRefusal } from './failure.ts';
import type { Draft } from './render.ts';
import { isId } from './target.ts';
import type { Timing } from './timing.ts';
import { fileNameOf, multipart } from './uploads.ts';

/** A message with the content of its files. */
export type ReadyDraft = Omit<Draft, 'files'> & { files: readonly OutgoingFile[] };

/** Makes calls that write messages, with one attempt each: whether another one follows is decided by the service. */
export class Outbox {
  readonly #api: DiscordApi;
  readonly #timing: Timing;

  constructor(api: DiscordApi, timing: Timing) {
    this.#api = api;
    this.#timing = timing;
  }

  /**
   * Sends a message, at most once for a nonce within some minutes.
   * @returns its id
   */
  async send(channel: string, draft: ReadyDraft, nonce: string): Promise<string> {
    const sent = await this.#post(channel, draft, nonce).catch((error: unknown) => {
      if (draft.replyTo === null || !isAboutReply(error)) throw error;
      return this.#post(channel, { ...draft, replyTo: null }, nonce);
    });
    const { id } = sent;
    if (!isId(id)) throw new Error('Discord sent a message without an id');
    // An earlier attempt with this nonce, such as one at the first words of an answer, arrived after all.
    if (!shows(sent, draft)) await this.edit(channel, id, draft);
    return id;
  }

  /** Replaces text and files of a message. */
  async edit(channel: string, id: string, draft: ReadyDraft): Promise<void> {
    const body: RESTPatchAPIChannelMessageJSONBody = {
      content: draft.content,
      allowed_mentions: mentionsOf(draft),
      attachments: attachmentsOf(draft),
    };
    await this.#call('PATCH', `/channels/${channel}/messages/${id}`, body, draft.files);
  }

  async delete(channel: string, id: string): Promise<void> {
    const path = `/channels/${channel}/messages/${id}`;
    await this.#api.call({ method: 'DELETE', path, isRepeatable: true }).catch((error: unknown) => {
      if (!isRefusal(error, errorCodes.unknownMessage)) throw error;
    });
  }

  #post(channel: string, draft: ReadyDraft, nonce: string): Promise<Partial<APIMessage>> {
    const body: RESTPostAPIChannelMessageJSONBody = {
      content: draft.content,
      nonce,
      enforce_nonce: true,
      allowed_mentions: mentionsOf(draft),
      attachments: attachmentsOf(draft),
      ...(draft.replyTo === null
        ? {}
        : { message_reference: { message_id: draft.replyTo, fail_if_not_exists: false } }),
    };
    return this.#call('POST', `/channels/${channel}/messages`, body, draft.files);
  }

  async #call(
    method: 'POST' | 'PATCH',
    path: string,
    payload: object,
    files: readonly OutgoingFile[],
  ): Promise<Partial<APIMessage>> {
    const content = files.length === 0 ? { json: payload } : await multipart(payload, files);
    const timeoutMs = files.length === 0 ? this.#timing.callMs : this.#timing.transferMs;
    return this.#api.call({ method, path, ...content, timeoutMs, isRepeatable: method === 'PATCH' });
  }
}

/**
 * A nonce of at most 25 characters, the same for every attempt at one message.
 * @param place of the message among those that an outgoing one takes, and whether it replaces another
 */
export function nonceOf(idempotencyToken: string, place: string): string {
  return createHash('sha256').update(`${idempotencyToken}/${place}`).digest('base64url').slice(0, 24);
}

/** A mention that a model wrote notifies no user. @see https://docs.discord.com/developers/resources/message#allowed-mentions-object */
function mentionsOf({
  users,
  everyone,
}: ReadyDraft): NonNullable<RESTPostAPIChannelMessageJSONBody['allowed_mentions']> {
  // Discord takes at most 100 users.
  const mentions = { users: users.slice(0, 100), replied_user: false };
  // The type of the library, which is not loaded, is an enumeration.
  return { parse: (everyone ? ['everyone'] : []) as never[], ...mentions };
}

function attachmentsOf({ files }: ReadyDraft): { id: string; filename: string }[] {
  return files.map((file, index) => ({ id: String(index), filename: fileNameOf(file) }));
}

function isAboutReply(error: unknown): boolean {
  if (isRefusal(error, errorCodes.noHistoryToReply)) return true;
  return (
    isRefusal(error, errorCodes.invalidForm) && error.fields.some((field) => field.startsWith('message_reference'))
  );
}

/** Discord may change white space and control characters of a text. */
function shows({ content, attachments }: Partial<APIMessage>, draft: ReadyDraft): boolean {
  const bare = (text: string) => text.replace(/[\s\p{C}]/gu, '');
  return bare(content ?? '') === bare(draft.content) && (attachments ?? []).length === draft.files.length;
}
