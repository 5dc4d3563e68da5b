import { ParleyApiError } from '@parley/client';
import { api } from '../../lib/api.ts';
import { uploadDocument } from '../../lib/uploads.ts';

/** Maximum file size of the server, bytes. */
export const maximumBytes = 10_485_760;
const atOnce = 3;

/** A file of an archive that was not attached. */
export interface SkippedFile {
  file_name: string;
  reason: string;
  message: string;
}

/** A file being uploaded to a knowledge base. */
export interface Upload {
  id: number;
  file: File;
  /** `partial`: an archive with excluded files. */
  state: 'waiting' | 'sending' | 'attaching' | 'failed' | 'partial';
  /** The progress, from 0 to 1. */
  sent: number;
  error: unknown;
  skipped: readonly SkippedFile[];
}

interface Job extends Upload {
  /** Id of a finished upload: a retry only attaches it. */
  fileId: string | null;
  allowDuplicate: boolean;
  abort: AbortController;
}

interface Snapshot {
  uploads: readonly Upload[];
  /** Number of attached files; changes when there are new documents. */
  attached: number;
}

const nothing: Snapshot = { uploads: [], attached: 0 };

/** Uploads to knowledge bases. They continue while other pages are open. */
class UploadQueue {
  readonly #jobs = new Map<string, Job[]>();
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #listeners = new Set<() => void>();
  #lastId = 0;

  constructor() {
    window.addEventListener('beforeunload', (event) => {
      const isBusy = [...this.#jobs.values()].flat().some(({ state }) => state !== 'failed' && state !== 'partial');
      if (isBusy) event.preventDefault();
    });
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  of(base: string): Snapshot {
    return this.#snapshots.get(base) ?? nothing;
  }

  add(base: string, files: readonly File[]): void {
    const jobs = files.map((file): Job => {
      const error =
        file.size > maximumBytes
          ? new ParleyApiError('The file is too large.', { status: 413, reason: 'too_large' })
          : null;
      this.#lastId += 1;
      return {
        id: this.#lastId,
        file,
        state: error === null ? 'waiting' : 'failed',
        sent: 0,
        error,
        skipped: [],
        fileId: null,
        allowDuplicate: false,
        abort: new AbortController(),
      };
    });
    this.#jobs.set(base, [...(this.#jobs.get(base) ?? []), ...jobs]);
    this.#changed(base);
    this.#next(base);
  }

  retry(base: string, id: number, { allowDuplicate = false } = {}): void {
    this.#change(base, id, { state: 'waiting', error: null, sent: 0, allowDuplicate, abort: new AbortController() });
    this.#next(base);
  }

  /** Cancels an upload in progress, or removes a finished one from the list. */
  remove(base: string, id: number): void {
    const jobs = this.#jobs.get(base) ?? [];
    jobs.find((job) => job.id === id)?.abort.abort();
    this.#jobs.set(
      base,
      jobs.filter((job) => job.id !== id),
    );
    this.#changed(base);
    this.#next(base);
  }

  /** Removes those from the list that ended, with an error or in part. */
  dismissEnded(base: string): void {
    const jobs = this.#jobs.get(base) ?? [];
    this.#jobs.set(
      base,
      jobs.filter(({ state }) => state !== 'failed' && state !== 'partial'),
    );
    this.#changed(base);
  }

  #next(base: string): void {
    const jobs = this.#jobs.get(base) ?? [];
    const busy = jobs.filter(({ state }) => state === 'sending' || state === 'attaching').length;
    for (const job of jobs.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, atOnce - busy))) {
      void this.#send(base, job).then(() => this.#next(base));
    }
  }

  async #send(base: string, { id, file, fileId: known, allowDuplicate, abort }: Job): Promise<void> {
    const { signal } = abort;
    try {
      this.#change(base, id, { state: 'sending' });
      const fileId =
        known ?? (await uploadDocument(file, { signal, progress: (sent) => this.#change(base, id, { sent }) }));
      this.#change(base, id, { state: 'attaching', sent: 1, fileId });
      const { skipped } = await api.post('/api/v1/knowledge/bases/{knowledge_base_uuid}/files', {
        params: { path: { knowledge_base_uuid: base } },
        body: { file_id: fileId, ...(allowDuplicate ? { allow_duplicate: true } : {}) },
      });
      const { uploads, attached } = this.of(base);
      this.#snapshots.set(base, { uploads, attached: attached + 1 });
      if (skipped.length > 0) this.#change(base, id, { state: 'partial', skipped });
      else this.remove(base, id);
    } catch (error) {
      if (signal.aborted) return;
      this.#change(base, id, { state: 'failed', error });
    }
  }

  #change(base: string, id: number, change: Partial<Job>): void {
    const jobs = this.#jobs.get(base) ?? [];
    this.#jobs.set(
      base,
      jobs.map((job) => (job.id === id ? { ...job, ...change } : job)),
    );
    this.#changed(base);
  }

  #changed(base: string): void {
    this.#snapshots.set(base, { uploads: this.#jobs.get(base) ?? [], attached: this.of(base).attached });
    for (const listener of this.#listeners) listener();
  }
}

export const uploadQueue = new UploadQueue();
