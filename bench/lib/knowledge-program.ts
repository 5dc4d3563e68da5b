import { setTimeout as delay } from 'node:timers/promises';
import { type Caller, caller } from './program.ts';

/** A document of a knowledge base, as its list tells. */
interface ListedFile {
  uuid: string;
  file_id: string;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  chunk_count: number;
  error: string | null;
}

/** What a retrieval answers. */
export interface FoundPassage {
  id: string;
  content: { text: string }[];
  score: number | null;
  metadata: { file_id: string; file_name: string; page: number | null; start: number; end: number };
}

/** A program that fills a knowledge base and asks it, over HTTP. */
export class KnowledgeProgram {
  readonly #address: string;
  readonly #key: string;
  readonly #caller: Caller;

  constructor(address: string, key: string) {
    this.#address = address;
    this.#key = key;
    this.#caller = caller(address, { 'x-api-key': key });
  }

  /** @returns uuid of the new base */
  async create(creationSettings: object, retrievalSettings: object = {}): Promise<string> {
    const { uuid } = await this.#caller.call('POST', '/api/v1/knowledge/bases', {
      name: 'Benchmark',
      knowledge_engine_plugin_id: 'parley/built-in',
      creation_settings: creationSettings,
      retrieval_settings: retrievalSettings,
    });
    return uuid;
  }

  /** Uploads a file and attaches it. @returns its `file_id` */
  async add(base: string, name: string, content: string): Promise<string> {
    const form = new FormData();
    form.append('file', new File([content], name));
    const response = await fetch(`${this.#address}/api/v1/files/documents`, {
      method: 'POST',
      headers: { 'x-api-key': this.#key },
      body: form,
    });
    const answer = (await response.json()) as { data: { file_id: string } };
    if (!response.ok) throw new Error(`An upload was answered ${response.status}: ${JSON.stringify(answer)}`);
    const { file_id } = answer.data;
    await this.#caller.call('POST', `/api/v1/knowledge/bases/${base}/files`, { file_id, allow_duplicate: true });
    return file_id;
  }

  /** What became of each document so far. */
  async files(base: string): Promise<ListedFile[]> {
    return (await this.#caller.call('GET', `/api/v1/knowledge/bases/${base}/files`)).files;
  }

  /** Documents and chunks that are found. */
  async counts(base: string): Promise<{ document_count: number; chunk_count: number }> {
    return (await this.#caller.call('GET', `/api/v1/knowledge/bases/${base}`)).base;
  }

  /**
   * Waits until every document is ready.
   * @param patience seconds
   * @throws Error when one failed or it takes too long
   */
  async ready(base: string, patience: number): Promise<ListedFile[]> {
    const deadline = performance.now() + patience * 1000;
    for (;;) {
      const files = await this.files(base);
      const failed = files.find(({ status }) => status === 'failed');
      if (failed !== undefined) throw new Error(`The document ${failed.uuid} failed: ${failed.error}`);
      if (files.every(({ status }) => status === 'completed')) return files;
      if (performance.now() > deadline) throw new Error('The documents were not ready in time');
      await delay(250);
    }
  }

  async retrieve(base: string, query: string, settings: object = {}): Promise<FoundPassage[]> {
    const body = { query, retrieval_settings: settings };
    return (await this.#caller.call('POST', `/api/v1/knowledge/bases/${base}/retrieve`, body)).results;
  }

  call(method: string, path: string, body?: object) {
    return this.#caller.call(method, path, body);
  }
}
