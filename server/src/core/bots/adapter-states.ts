import { type AdapterState, longestStateName, longestStateValue, ParleyError, type StateValues } from '@parley/sdk';
import type { SecretBox } from '../../lib/secret-box.ts';

/** Whose values they are: those of a bot with a platform. */
export interface StateOwner {
  bot_uuid: string;
  /** Name of the platform. */
  adapter: string;
  /** Any replica writes them, not only the one that has connected the bot. */
  isShared?: boolean;
}

/** Values as they are stored; null removes one. */
export interface SealedState {
  owner: StateOwner;
  values: readonly { name: string; sealed_value: string | null }[];
}

export interface AdapterStateStore {
  read(owner: StateOwner, name: string): Promise<string | null>;
  /** In one transaction. */
  write(state: SealedState): Promise<void>;
}

/** What the adapters of bots remember over restarts, encrypted at rest. */
export class AdapterStates {
  readonly #store: AdapterStateStore;
  readonly #secrets: SecretBox;

  constructor(store: AdapterStateStore, secrets: SecretBox) {
    this.#store = store;
    this.#secrets = secrets;
  }

  of(owner: StateOwner): AdapterState {
    return {
      read: async (name) => {
        const sealed = await this.#store.read(owner, name);
        return sealed === null ? null : this.#secrets.open(sealed, nameOf(owner, name));
      },
      write: async (values) => this.#store.write(this.sealed(owner, values)),
    };
  }

  /** @throws ParleyError `invalid_request` for a name or value that is too long */
  sealed(owner: StateOwner, values: StateValues): SealedState {
    const entries = Object.entries(values);
    for (const [name, value] of entries) {
      if (name === '' || name.length > longestStateName || Buffer.byteLength(value ?? '') > longestStateValue) {
        throw new ParleyError('invalid_request', 'The name or the value of a stored state is too long');
      }
    }
    return {
      owner,
      values: entries.map(([name, value]) => ({
        name,
        sealed_value: value === null ? null : this.#secrets.seal(value, nameOf(owner, name)),
      })),
    };
  }
}

/** Names a value to the box of secrets. */
function nameOf({ bot_uuid, adapter }: StateOwner, name: string): string {
  return JSON.stringify(['adapter-state', bot_uuid, adapter, name]);
}
