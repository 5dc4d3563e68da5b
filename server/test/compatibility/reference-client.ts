import type { TestAnswer, TestRequest, TestService } from '../factories/start-test-service.ts';

/** What the web client of the reference system shows when a request was refused. */
export interface Refusal {
  status: number;
  code: number;
  msg: string;
  reason: string;
}

/**
 * Treats requests and answers as the web client of the reference system does: it sends its token with everything, reads
 * `data` of what succeeded without looking at `code`, and drops its token on every 401, after which it loads the sign-in
 * page, unless it was asking whether its token is good.
 */
export class ReferenceClient {
  readonly #service: TestService;
  token: string | null;
  /** How often it threw everything away and loaded the sign-in page. */
  reloads = 0;

  /** @param token what it found in the storage of the browser */
  constructor(service: TestService, token: string | null = service.account.token || null) {
    this.#service = service;
    this.token = token;
  }

  get = (url: string) => this.#data('GET', url);
  post = (url: string, json?: unknown) => this.#data('POST', url, json);
  put = (url: string, json?: unknown) => this.#data('PUT', url, json);
  delete = (url: string) => this.#data('DELETE', url);

  /** Sends a request that must fail. */
  async refused(method: string, url: string, json?: unknown): Promise<Refusal> {
    const answer = await this.send(method, url, json);
    if (answer.status < 300) throw new Error(`${method} ${url} was not refused: ${answer.text}`);
    const { code, msg, reason } = answer.body;
    return { status: answer.status, code, msg, reason };
  }

  async send(method: string, url: string, json?: unknown, more: Partial<TestRequest> = {}): Promise<TestAnswer> {
    const credential = this.token === null ? {} : { bearer: this.token };
    const body = json === undefined ? {} : { json };
    const answer = await this.#service.request({ method, url, ...credential, ...body, ...more });
    if (answer.status === 401) {
      this.token = null;
      if (!url.includes('/check-token')) this.reloads += 1;
    }
    return answer;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests reach into what they were answered
  async #data(method: string, url: string, json?: unknown): Promise<any> {
    const answer = await this.send(method, url, json);
    if (answer.status !== 200) throw new Error(`${method} ${url} was answered ${answer.status} ${answer.text}`);
    const { data } = answer.body;
    if (typeof data !== 'object' || data === null || Array.isArray(data)) {
      throw new Error(`${method} ${url} has no object as data: ${answer.text}`);
    }
    return data;
  }
}

export const unknownUuid = '00000000-0000-7000-8000-000000000000';
