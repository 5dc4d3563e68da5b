import type { Logger } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import type { DocumentFindings, DocumentStore } from './document-store.ts';

/** Records the progress of a document: its facts immediately, its progress periodically. */
export class DocumentProgress {
  readonly #uuid: string;
  readonly #store: Pick<DocumentStore, 'update'>;
  readonly #options: { logger: Logger; intervalMs: number };
  #unsaved: DocumentFindings = {};
  #saving: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(uuid: string, store: Pick<DocumentStore, 'update'>, options: { logger: Logger; intervalMs: number }) {
    this.#uuid = uuid;
    this.#store = store;
    this.#options = options;
  }

  note(findings: DocumentFindings, urgency: 'now' | 'soon'): void {
    Object.assign(this.#unsaved, findings);
    if (urgency === 'now') this.#save();
    else this.#timer ??= setTimeout(() => this.#save(), this.#options.intervalMs).unref();
  }

  /** Writes pending changes, and nothing afterwards. */
  async end(): Promise<void> {
    this.#save();
    await this.#saving;
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const findings = this.#unsaved;
    this.#unsaved = {};
    if (Object.keys(findings).length === 0) return;
    this.#saving = this.#saving
      .then(() => this.#store.update(this.#uuid, findings, now()))
      // The end of the run records the same.
      .catch((error: unknown) => {
        this.#options.logger.warn({ document: this.#uuid, error }, 'how far a document is could not be stored');
      });
  }
}
