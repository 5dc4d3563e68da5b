import { type Platform, problemError } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { OtherReplicas } from '../replicas/other-replicas.ts';
import type { CallHandlers, CallPrincipal, PeerCalls } from '../replicas/peer-calls.ts';
import { fillSecrets, type StoredSecrets } from '../secrets/secret-fields.ts';
import type { AdapterLogin } from './adapter-login.ts';
import { type AdapterLogins, unusable } from './adapter-logins.ts';

export interface SharedLoginsOptions {
  /** The id of this replica. */
  replica: () => string;
  others: Pick<OtherReplicas, 'has'>;
  calls: PeerCalls;
  /** Seals results on their way: all replicas have its key. */
  secrets: SecretBox;
  platform: (name: string) => Platform | undefined;
}

/** Between the id of a replica and that of a sign-in. */
const separator = '.';

const namedLogin = Type.Object({ adapter: Type.String(), id: Type.String() });
const endedLogin = Type.Object({ id: Type.String(), is_stored: Type.Boolean() });

/**
 * The sign-ins of all replicas. Each is in the memory of the one that it was started at, which its id names; the others ask
 * that one, also for a result that a bot is to be stored with.
 */
export class SharedLogins {
  readonly #own: AdapterLogins;
  readonly #options: SharedLoginsOptions;

  constructor(own: AdapterLogins, options: SharedLoginsOptions) {
    this.#own = own;
    this.#options = options;
  }

  /** Answers what other replicas ask for. */
  answer(handlers: CallHandlers): void {
    handlers.add<Static<typeof namedLogin>>('login', namedLogin, async ({ adapter, id }) => this.#own.get(adapter, id));
    handlers.add<Static<typeof namedLogin>>('cancel_login', namedLogin, async ({ adapter, id }) => {
      this.#own.cancel(adapter, id);
    });
    handlers.add<Static<typeof namedLogin>>('login_result', namedLogin, async ({ adapter, id }) =>
      this.#options.secrets.seal(JSON.stringify(this.#own.result(adapter, id)), contextOf(id)),
    );
    handlers.add<string>('begin_login_use', Type.String(), async (id) => this.#own.begin(id));
    handlers.add<Static<typeof endedLogin>>('end_login_use', endedLogin, async ({ id, is_stored }) =>
      this.#own.end(id, is_stored),
    );
  }

  /** As {@link AdapterLogins.start}. */
  start(...given: Parameters<AdapterLogins['start']>): AdapterLogin {
    const login = this.#own.start(...given);
    return { ...login, id: this.#options.replica() + separator + login.id };
  }

  /**
   * @param principal the credential that asks for it
   * @throws ParleyError `not_found`, also for another platform's and when its replica has ended; `not_ready` or `uncertain`
   * of a call to that replica
   */
  async get(adapter: string, sharedId: string, principal: CallPrincipal): Promise<AdapterLogin> {
    const { other, id } = this.#locate(sharedId);
    if (other === null) return { ...this.#own.get(adapter, id), id: sharedId };
    this.#requireLiving(other);
    // It answers with what it shows.
    const login = (await this.#options.calls.call(other, 'login', { adapter, id }, { principal })) as AdapterLogin;
    return { ...login, id: sharedId };
  }

  /** Ends a sign-in, and forgets what it obtained. @throws ParleyError as {@link get} */
  async cancel(adapter: string, sharedId: string, principal: CallPrincipal): Promise<void> {
    const { other, id } = this.#locate(sharedId);
    if (other === null) return this.#own.cancel(adapter, id);
    this.#requireLiving(other);
    await this.#options.calls.call(other, 'cancel_login', { adapter, id }, { principal });
  }

  /**
   * As {@link AdapterLogins.filled}.
   * @throws ParleyError `invalid_request` also when its replica has ended; `not_ready` or `uncertain` of a call to it
   */
  async filled(adapter: string, sharedId: string, config: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { other, id } = this.#locate(sharedId);
    if (other === null) return this.#own.filled(adapter, id, config);
    const platform = this.#options.platform(adapter);
    if (platform === undefined) throw unusable();
    const sealed = String(await this.#ask(other, 'login_result', { adapter, id }));
    // Sealed by a replica with the same key.
    const result = JSON.parse(this.#options.secrets.open(sealed, contextOf(id))) as StoredSecrets;
    return fillSecrets(platform.config, config, result);
  }

  /** As {@link AdapterLogins.use}. @throws ParleyError as {@link filled} */
  async use<Result>(sharedId: string, store: () => Promise<Result>): Promise<Result> {
    const { other, id } = this.#locate(sharedId);
    if (other === null) return this.#own.use(id, store);
    await this.#ask(other, 'begin_login_use', id);
    let is_stored = false;
    try {
      const stored = await store();
      is_stored = true;
      return stored;
    } finally {
      // Until it is forgotten it counts as used.
      await this.#ask(other, 'end_login_use', { id, is_stored }).catch(() => undefined);
    }
  }

  /** Ends those of this replica. */
  close(): void {
    this.#own.close();
  }

  /** @returns the replica of a sign-in, null for this one, and its id there */
  #locate(sharedId: string): { other: string | null; id: string } {
    const [replica = '', id = ''] = sharedId.split(separator, 2);
    return { other: replica === this.#options.replica() ? null : replica, id };
  }

  #requireLiving(replica: string): void {
    if (!this.#options.others.has(replica)) throw problemError('platform_sign_in_not_found');
  }

  #ask(replica: string, name: string, payload: unknown): Promise<unknown> {
    const { others, calls, replica: own } = this.#options;
    if (!others.has(replica)) throw unusable();
    return calls.call(replica, name, payload, { principal: { kind: 'replica', id: own() } });
  }
}

/** What the result of a sign-in is sealed under. */
function contextOf(id: string): string {
  return `result of sign-in ${id}`;
}
