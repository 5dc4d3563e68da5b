import { createHash } from 'node:crypto';
import type { AdapterState } from '@parley/sdk';
import { isId } from './target.ts';

/** A session of the gateway that can be resumed. */
export interface GatewaySession {
  id: string;
  /** Where Discord wants it to be resumed. */
  resumeUrl: string;
  /** The bot's own id. */
  userId: string;
  /** The bot's name; empty in sessions of versions that did not store it. */
  userName: string;
}

/**
 * The session and the last event of it that was processed, in the state of the bot: events after that one are played
 * again when the session is resumed, also by another process.
 */
export class StoredSession {
  readonly #state: AdapterState;
  /** Tells sessions of another token apart. */
  readonly #account: string;
  /** The last event that was processed. */
  #processed = 0;
  /** The last one of which this is stored, so that Discord need not play it again. */
  #stored = 0;

  constructor(state: AdapterState, token: string) {
    this.#state = state;
    this.#account = createHash('sha256').update(token).digest('base64url').slice(0, 16);
  }

  /** Events up to this one are not needed again; null before the first. */
  get acknowledged(): number | null {
    return this.#stored === 0 ? null : this.#stored;
  }

  /** @returns the session with its last stored event; null when there is none of this token */
  async read(): Promise<(GatewaySession & { sequence: number }) | null> {
    const session = readSession(await this.#state.read('session'), this.#account);
    const sequence = Number(await this.#state.read('sequence'));
    if (session === null || !Number.isSafeInteger(sequence) || sequence < 1) return null;
    this.#processed = Math.max(this.#processed, sequence);
    this.#stored = this.#processed;
    return { ...session, sequence: this.#processed };
  }

  async begin({ id, resumeUrl, userId, userName }: GatewaySession, sequence: number): Promise<void> {
    const user = { user_id: userId, user_name: userName };
    const session = JSON.stringify({ account: this.#account, id, resume_url: resumeUrl, ...user });
    await this.#state.write({ session, sequence: String(sequence) });
    this.#processed = sequence;
    this.#stored = sequence;
  }

  async forget(): Promise<void> {
    this.#processed = 0;
    this.#stored = 0;
    await this.#state.write({ session: null, sequence: null });
  }

  /** An event was processed. @param isStored that it was, is stored with its message */
  advance(sequence: number, isStored: boolean): void {
    this.#processed = sequence;
    if (isStored) this.#stored = sequence;
  }

  /** Stores how far the session was processed. */
  async save(): Promise<void> {
    const sequence = this.#processed;
    if (sequence <= this.#stored) return;
    await this.#state.write({ sequence: String(sequence) });
    this.#stored = Math.max(this.#stored, sequence);
  }
}

/** Tolerates any stored value. */
function readSession(json: string | null, ofAccount: string): GatewaySession | null {
  try {
    const { account, id, resume_url, user_id, user_name = '' } = JSON.parse(json ?? 'null') as Record<string, unknown>;
    const isWhole = typeof id === 'string' && typeof resume_url === 'string' && isId(user_id);
    if (!isWhole || account !== ofAccount) return null;
    return { id, resumeUrl: resume_url, userId: user_id, userName: String(user_name) };
  } catch {
    return null;
  }
}
