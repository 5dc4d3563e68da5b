import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';

/** On whose behalf a replica calls another one: the credential of a request, or a replica itself. */
export interface CallPrincipal {
  kind: 'user' | 'api-key' | 'replica';
  /** Uuid of the account, id of the API key, or id of the replica. */
  id: string;
}

export interface PeerCallOptions {
  principal: CallPrincipal;
  /** Ends the call, and aborts its work at the other replica. */
  signal?: AbortSignal | undefined;
}

/** Asks other replicas for what needs their memory. */
export interface PeerCalls {
  /**
   * Has another replica do something. It never passes the call on.
   * @param payload JSON
   * @returns JSON
   * @throws ParleyError of the other replica; `not_ready` (`replica_unreachable`) when nothing was sent to it or it did
   * nothing; `uncertain` (`replica_cut_off`) when the connection was lost after that
   */
  call(replica: string, name: string, payload: unknown, options: PeerCallOptions): Promise<unknown>;
}

/** A call of another replica. */
export interface IncomingCall {
  /** The id of the replica that calls. */
  from: string;
  principal: CallPrincipal;
  /** Aborted when the other replica does not wait any more. */
  signal: AbortSignal;
}

interface Handler {
  schema: TSchema;
  handle: (payload: never, call: IncomingCall) => Promise<unknown>;
}

/** What other replicas may ask of this one, by name. */
export class CallHandlers {
  readonly #handlers = new Map<string, Handler>();

  /**
   * @param schema of the payload; others are refused: another version may have sent them
   * @param handle does it here, and never asks a third replica. Its result is JSON
   */
  add<Payload>(
    name: string,
    schema: TSchema,
    handle: (payload: Payload, call: IncomingCall) => Promise<unknown>,
  ): void {
    if (this.#handlers.has(name)) throw new Error(`there already is a call ${name}`);
    this.#handlers.set(name, { schema, handle });
  }

  /** Null for what is not known here. */
  find(name: string, payload: unknown): ((call: IncomingCall) => Promise<unknown>) | null {
    const handler = this.#handlers.get(name);
    if (handler === undefined || !Check(handler.schema, payload)) return null;
    // The payload is what the schema says.
    return (call) => handler.handle(payload as never, call);
  }
}
