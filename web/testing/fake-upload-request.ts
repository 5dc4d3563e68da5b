import type { Call } from './call.ts';

/** As much of an `XMLHttpRequest` as an upload uses; a fake server answers it. */
export function uploadRequests(server: { answer: (call: Call) => Promise<Response> }) {
  return class FakeUploadRequest {
    status = 0;
    response: unknown = null;
    responseType = '';
    readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
    onload?: () => void;
    onerror?: () => void;
    onabort?: () => void;
    readonly #abort = new AbortController();
    readonly #headers = new Headers();
    #path = '';

    open(_method: 'POST', address: string): void {
      this.#path = new URL(address).pathname;
    }

    setRequestHeader(name: string, value: string): void {
      this.#headers.set(name, value);
    }

    abort(): void {
      this.#abort.abort();
      this.onabort?.();
    }

    async send(body: FormData): Promise<void> {
      const { signal } = this.#abort;
      const response = await server
        .answer({
          method: 'post',
          path: this.#path,
          query: {},
          headers: this.#headers,
          body,
          signal,
          progress: (loaded, total) => this.upload.onprogress?.({ loaded, total }),
        })
        .catch(() => null);
      if (signal.aborted) return;
      if (response === null) return this.onerror?.();
      this.status = response.status;
      this.response = await response.json();
      this.onload?.();
    }
  };
}
