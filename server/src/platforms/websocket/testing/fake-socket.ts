import type { MessageChain } from '@parley/sdk';
import type { BrowserSocket } from '@parley/sdk/internal';

// biome-ignore lint/suspicious/noExplicitAny: frames differ by their type
export type Frame = Record<string, any>;

/** A browser's end of a connection. */
export class FakeSocket implements BrowserSocket {
  readonly pipeline_uuid: string;
  readonly session_type: BrowserSocket['session_type'];
  readonly session_id: string;
  readonly person_id: string;
  readonly person_name: string;
  readonly signed_in_admin: boolean;
  readonly trial: BrowserSocket['trial'];
  readonly thread_id: string;
  readonly frames: Frame[] = [];
  readonly stops: (string | null)[] = [];
  readonly replacements: [string, string][] = [];
  closedWith: [number, string] | null = null;
  buffered = 0;
  #listeners: ((text: string) => void)[] = [];
  #closeListeners: (() => void)[] = [];

  constructor(
    person: string,
    over: Partial<
      Pick<BrowserSocket, 'pipeline_uuid' | 'session_type' | 'signed_in_admin' | 'trial' | 'thread_id'>
    > = {},
  ) {
    this.person_id = person;
    this.person_name = `Name of ${person}`;
    this.signed_in_admin = over.signed_in_admin ?? false;
    this.trial = over.trial ?? null;
    this.thread_id = over.thread_id ?? '';
    this.pipeline_uuid = over.pipeline_uuid ?? 'pipeline';
    this.session_type = over.session_type ?? 'person';
    this.session_id = this.session_type === 'person' ? person : 'websocketgroup';
  }

  async stop(messageUuid: string | null): Promise<number | null> {
    this.stops.push(messageUuid);
    return messageUuid === null ? 7 : null;
  }
  async replace(messageUuid: string, replacement: string): Promise<MessageChain> {
    this.replacements.push([messageUuid, replacement]);
    return [{ type: 'Plain', text: 'asked before' }];
  }
  send(text: string): void {
    this.frames.push(JSON.parse(text));
  }
  bufferedBytes(): number {
    return this.buffered;
  }
  close(code: number, reason: string): void {
    this.closedWith ??= [code, reason];
    for (const listener of this.#closeListeners) listener();
  }
  onMessage(listener: (text: string) => void): void {
    this.#listeners.push(listener);
  }
  onClose(listener: () => void): void {
    this.#closeListeners.push(listener);
  }
  say(frame: unknown): void {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
    for (const listener of this.#listeners) listener(text);
  }
  get types(): string[] {
    return this.frames.map(({ type }) => type);
  }
}
