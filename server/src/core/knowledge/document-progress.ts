import type { Logger } from '@parley/sdk';
import type { DocumentFindings } from './document-store.ts';

export interface DocumentProgressOptions {
  /** Stores findings of the run. @returns false when it is outdated */
  store: (findings: DocumentFindings) => Promise<boolean>;
  /** Called when the run is outdated. */
  outdated: () => void;
  logger: Logger;
  /** Least time between two writes of how far the document is, milliseconds. */
  intervalMs: number;
}

/** Records the progress of a document: its facts immediately, its progress periodically. */
export class DocumentProgress {
  readonly #uuid: string;
  readonly #options: DocumentProgressOptions;
  #unsaved: DocumentFindings = {};
  #saving: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(uuid: string, options: DocumentProgressOptions) {
    this.#uuid = uuid;
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
      .then(async () => {
        if (!(await this.#options.store(findings))) this.#options.outdated();
      })
      // The end of the run records the same.
      .catch((error: unknown) => {
        this.#options.logger.warn({ document: this.#uuid, error }, 'how far a document is could not be stored');
      });
  }
}
