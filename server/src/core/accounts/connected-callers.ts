import { ParleyError } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import {
  type Authenticator,
  expiryOf,
  type Principal,
  principalName,
  type RequiredAccess,
  refusalOf,
  roleOf,
} from './authenticator.ts';
import type { CredentialChange, CredentialChanges } from './credential-changes.ts';

/** Between two checks of all credentials, for changes by the command line on SQLite. Milliseconds. */
const checkInterval = 15_000;
/** Longest delay that a timer takes, milliseconds. */
const longestDelay = 2 ** 31 - 1;

/** A connection that stays open after its credential was checked. */
export interface CallerConnection {
  /** The number of requests is limited where they are answered. */
  kind: 'socket' | 'event-stream' | 'request';
  principal: Principal;
  /** What the route requires; the connection ends when the credential no longer satisfies it. */
  required: RequiredAccess;
  /** Ends the connection from this side. */
  end(fault: ParleyError): void;
  onClose(listener: () => void): void;
}

/** How many connections of one kind may be open at the same time. */
export interface ConnectionLimits {
  perCaller: number;
  inAll: number;
}

/** A session or an API key with its connections. */
interface Credential {
  principal: Principal;
  connections: Set<CallerConnection>;
  expiry: NodeJS.Timeout | undefined;
}

const labels = { socket: 'web chat sockets', 'event-stream': 'event streams' } as const;

/**
 * Callers with open connections, by credential. A connection ends with its credential: in the call that revokes or
 * changes the credential, when it expires, and at a check when another process changed it.
 */
export class ConnectedCallers {
  readonly #authenticator: Pick<Authenticator, 'current'>;
  readonly #limits: ConnectionLimits;
  readonly #credentials = new Map<string, Credential>();
  readonly #ended = new WeakMap<CallerConnection, ParleyError>();
  #timer: NodeJS.Timeout | undefined;

  constructor(authenticator: Pick<Authenticator, 'current'>, changes: CredentialChanges, limits: ConnectionLimits) {
    this.#authenticator = authenticator;
    this.#limits = limits;
    changes.watch((change) => this.#checkMeant((principal) => concerns(change, principal)));
  }

  /**
   * Keeps a connection until it closes or its credential ends. The credential is checked once more, because it may have
   * ended since the request was authenticated.
   * @throws ParleyError `too_many_requests`, or why the credential is not good any more
   */
  async join(connection: CallerConnection): Promise<void> {
    this.#admit(connection);
    const credential = this.#add(connection);
    connection.onClose(() => this.#remove(credential, connection));
    await this.#check(credential);
    const fault = this.#ended.get(connection);
    if (fault !== undefined) throw fault;
  }

  #admit({ kind, principal }: CallerConnection): void {
    if (kind === 'request') return;
    const open = [...this.#credentials.values()].flatMap(({ connections }) =>
      [...connections].filter((connection) => connection.kind === kind),
    );
    const caller = principalName(principal);
    const own = open.filter((connection) => principalName(connection.principal) === caller).length;
    if (own < this.#limits.perCaller && open.length < this.#limits.inAll) return;
    const limit = own < this.#limits.perCaller ? `${open.length} in all` : `${own} of this caller`;
    throw new ParleyError('too_many_requests', `Too many open ${labels[kind]}: ${limit}`, {
      retryAfterSeconds: checkInterval / 1000,
    });
  }

  #add(connection: CallerConnection): Credential {
    const { principal } = connection;
    const name = credentialName(principal);
    const credential = this.#credentials.get(name) ?? { principal, connections: new Set(), expiry: undefined };
    this.#credentials.set(name, credential);
    credential.connections.add(connection);
    this.#timer ??= setInterval(() => void this.checkAll(), checkInterval).unref();
    return credential;
  }

  #remove(credential: Credential, connection: CallerConnection): void {
    if (!credential.connections.delete(connection) || credential.connections.size > 0) return;
    clearTimeout(credential.expiry);
    this.#credentials.delete(credentialName(credential.principal));
    if (this.#credentials.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Ends the connections whose credential ended, or lost rights, where other processes changed it. */
  async checkAll(): Promise<void> {
    await this.#checkMeant(() => true);
  }

  async #checkMeant(isMeant: (principal: Principal) => boolean): Promise<void> {
    const meant = [...this.#credentials.values()].filter(({ principal }) => isMeant(principal));
    await Promise.all(meant.map((credential) => this.#check(credential)));
  }

  /** Ends the connections that the credential no longer reaches, and sets the timer for its expiry. */
  async #check(credential: Credential): Promise<void> {
    const current = await this.#authenticator.current(credential.principal).catch(uncheckable);
    for (const connection of credential.connections) {
      const fault = current instanceof ParleyError ? current : faultOf(current, connection);
      if (fault === null) continue;
      this.#remove(credential, connection);
      this.#ended.set(connection, fault);
      connection.end(fault);
    }
    if (current !== null && !(current instanceof ParleyError)) this.#setExpiry(credential, expiryOf(current));
  }

  #setExpiry(credential: Credential, timestamp: string | null): void {
    clearTimeout(credential.expiry);
    if (timestamp === null || credential.connections.size === 0) return;
    const delay = Math.min(Math.max(Date.parse(timestamp) - present(), 0), longestDelay);
    // The check sets the timer again when a session was renewed meanwhile.
    credential.expiry = setTimeout(() => void this.#check(credential), delay).unref();
  }
}

function credentialName(principal: Principal): string {
  return principal.kind === 'user' ? `session/${principal.session.uuid}` : principalName(principal);
}

function concerns(change: CredentialChange, principal: Principal): boolean {
  if (principal.kind === 'api-key')
    return 'account' in change || ('apiKey' in change && change.apiKey === principal.id);
  if ('session' in change) return change.session === principal.session.uuid;
  return 'account' in change && change.account === principal.account.uuid;
}

/** Why a connection has to end. Its rights were fixed when it was opened, so a changed role ends it, too. */
function faultOf(current: Principal | null, { principal, required }: CallerConnection): ParleyError | null {
  const refusal = refusalOf(current, required);
  if (refusal !== null || current === null || roleOf(current) === roleOf(principal)) return refusal;
  return new ParleyError('role_changed', 'The role of the account was changed; connect again');
}

/** A connection ends when its credential cannot be checked. */
function uncheckable(): ParleyError {
  return new ParleyError('storage_unavailable', 'The credential could not be checked');
}
