import { expect } from 'vitest';
import { multipart, multipartType } from './multipart.ts';
import type { TestAnswer, TestService } from './start-test-service.ts';

const patience = { timeout: 60_000 };
export const basesUrl = '/api/v1/knowledge/bases';

/** Does with knowledge bases what a program does that has an API key. */
export class KnowledgeClient {
  readonly #service: TestService;
  readonly #apiKey: string;

  constructor(service: TestService, apiKey: string) {
    this.#service = service;
    this.#apiKey = apiKey;
  }

  send(method: string, url: string, json?: unknown): Promise<TestAnswer> {
    return this.#service.request({ method, url, apiKey: this.#apiKey, ...(json === undefined ? {} : { json }) });
  }

  /** @returns the data of an answer that has to be 200 */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into what they were answered
  async ok(method: string, url: string, json?: unknown): Promise<any> {
    const answer = await this.send(method, url, json);
    if (answer.status !== 200) throw new Error(`${method} ${url} was answered ${answer.status} ${answer.text}`);
    return answer.body.data;
  }

  /** @returns status, reason and the path of the first fault */
  async refused(method: string, url: string, json?: unknown): Promise<[number, string, string | undefined]> {
    const { status, body } = await this.send(method, url, json);
    return [status, body.reason, body.details?.[0]?.path];
  }

  /** @returns the address of a new base */
  async createBase(more: object = {}): Promise<string> {
    const form = { name: 'B', knowledge_engine_plugin_id: 'parley/built-in', ...more };
    return `${basesUrl}/${(await this.ok('POST', basesUrl, form)).uuid}`;
  }

  /** @returns the id of the file */
  async upload(name: string, content: string | Buffer): Promise<string> {
    const { status, body } = await this.#service.request({
      method: 'POST',
      url: '/api/v1/files/documents',
      apiKey: this.#apiKey,
      headers: { 'content-type': multipartType },
      payload: multipart({ name: 'file', filename: name, content }),
    });
    expect(status).toBe(200);
    return body.data.file_id;
  }

  /** Uploads a document and attaches it. @returns the uuid of the document */
  async attach(base: string, name: string, content: string | Buffer, more: object = {}): Promise<string> {
    const file_id = await this.upload(name, content);
    const { files } = await this.ok('POST', `${base}/files`, { file_id, ...more });
    return files[0].uuid;
  }

  /** Waits until every document of a base came to its end. @returns them */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into what they were answered
  async settled(base: string): Promise<any[]> {
    const files = async () => (await this.ok('GET', `${base}/files`)).files as { finished_at: string | null }[];
    await expect
      .poll(async () => (await files()).every(({ finished_at }) => finished_at !== null), patience)
      .toBe(true);
    return files();
  }

  /** Waits until a task came to its end. @returns it */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into what they were answered
  async task(id: number): Promise<any> {
    const task = () => this.ok('GET', `/api/v1/system/tasks/${id}`);
    await expect.poll(async () => (await task()).runtime.done, patience).toBe(true);
    return task();
  }
}
