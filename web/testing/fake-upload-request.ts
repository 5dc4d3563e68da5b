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
    #url = new URL('http://console');

    open(_method: 'POST', address: string): void {
      this.#url = new URL(address);
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
          path: this.#url.pathname,
          query: Object.fromEntries(this.#url.searchParams),
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
