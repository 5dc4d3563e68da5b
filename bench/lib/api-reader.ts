import { Agent, request } from 'node:http';
import { ApiKeyService } from '../../server/src/core/accounts/api-key-service.ts';
import { CredentialChanges } from '../../server/src/core/accounts/credential-changes.ts';
import { KyselyApiKeyStore } from '../../server/src/storage/accounts/kysely-api-key-store.ts';
import { openSqlite } from '../../server/src/storage/sqlite-database.ts';

/** Asks one request after the other over one connection. */
export class ApiReader {
  readonly #address: string;
  readonly #headers: Record<string, string>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(address: string, key: string) {
    this.#address = address;
    this.#headers = { 'x-api-key': key };
  }

  /** @returns `data`. @throws Error unless it is answered 200 */
  async read(path: string): Promise<unknown> {
    const { status, body } = await this.#get(path);
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${body}`);
    return (JSON.parse(body) as { data: unknown }).data;
  }

  /** Milliseconds until the whole answer was there. @throws Error unless it is a 200 */
  async time(path: string): Promise<number> {
    const begun = performance.now();
    const { status, body } = await this.#get(path);
    const time = performance.now() - begun;
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${body}`);
    return time;
  }

  close(): void {
    this.#agent.destroy();
  }

  #get(path: string): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const options = { agent: this.#agent, headers: this.#headers };
      const asked = request(`${this.#address}${path}`, options, (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
        response.on('error', reject);
      });
      asked.on('error', reject);
      asked.end();
    });
  }
}

/** Makes an API key for a service that is not running. */
export async function createKey(file: string): Promise<string> {
  const database = openSqlite(file);
  try {
    const keys = new ApiKeyService(new KyselyApiKeyStore(database, 'sqlite'), new CredentialChanges());
    return (await keys.create({ name: 'benchmark' }, null)).key;
  } finally {
    await database.destroy();
  }
}
