import type { SharedSetUpToken } from '../../core/accounts/first-account.ts';
import type { MetadataStore } from '../../core/system/metadata-store.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Database } from '../database.ts';
import { livingReplicas } from '../replicas/replica-rows.ts';

const key = 'setup_token';
const context = 'setup-token';

/** The set-up token in the database: each replica accepts the same one. */
export class SetUpToken implements SharedSetUpToken {
  readonly #metadata: MetadataStore;
  readonly #secrets: SecretBox;
  readonly #database: Database;

  constructor(metadata: MetadataStore, secrets: SecretBox, database: Database) {
    this.#metadata = metadata;
    this.#secrets = secrets;
    this.#database = database;
  }

  async settle(made: string): Promise<string> {
    const stored = await this.#metadata.get(key);
    if (stored !== null) return this.#secrets.open(stored, context);
    // Another replica may be faster.
    return (await this.#metadata.replace(key, null, this.#secrets.seal(made, context))) ? made : this.settle(made);
  }

  async isOwn(): Promise<boolean> {
    return (await livingReplicas(this.#database)).size < 2;
  }

  remove(): Promise<void> {
    return this.#metadata.delete(key);
  }
}
