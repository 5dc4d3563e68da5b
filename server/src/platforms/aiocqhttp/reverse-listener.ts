import {
  ParleyError,
  type PlatformContext,
  type SocketDecision,
  type SocketListener,
  type SocketRequest,
} from '@parley/sdk';
import { hasToken, listeningFault, tokenOf } from './access.ts';
import { roleOf } from './client-role.ts';
import type { ClientSockets } from './client-sockets.ts';
import type { OneBotSettings } from './config.ts';
import { idOf } from './fields.ts';

type ListenContext = Pick<PlatformContext, 'listen' | 'logger' | 'bot_uuid'>;

/** Takes the sockets that clients open, on the address of the configuration and on the bot's webhook URL. */
export class ReverseListener {
  readonly #settings: OneBotSettings;
  readonly #clients: ClientSockets;
  readonly #token: string;

  /** @throws ParleyError `invalid_request` for a token that no client can send */
  constructor(settings: OneBotSettings, clients: ClientSockets) {
    this.#settings = settings;
    this.#clients = clients;
    this.#token = tokenOf(settings);
  }

  /** @throws ParleyError `invalid_request` when the address cannot be used, or would be open to everyone */
  async listen({ listen, logger, bot_uuid }: ListenContext): Promise<SocketListener> {
    const fault = listeningFault(this.#settings);
    if (fault?.level === 'error') throw new ParleyError('invalid_request', fault.text.en_US);
    if (fault !== null) logger.warn({ bot: bot_uuid }, fault.text.en_US);
    const { host, port } = this.#settings;
    return listen({ host: host.trim(), port }, (request) => this.#decide(request));
  }

  /** Decides on a socket to the webhook URL, which others can reach: it needs a token. */
  accept(request: SocketRequest): SocketDecision {
    return this.#token === '' ? { status: 401 } : this.#decide(request);
  }

  #decide(request: SocketRequest): SocketDecision {
    if (!hasToken(request, this.#token)) return this.#refuse(401, 'a connection without the right token');
    const role = roleOf(request);
    if (role === null) return this.#refuse(404, 'a connection to an unknown path');
    const account = idOf(request.headers['x-self-id']);
    if (account === null) return this.#refuse(400, 'a connection without the header X-Self-ID');
    const taken = `a connection of the account ${account}: the bot is connected with another one`;
    if (!this.#clients.mayBe(account)) return this.#refuse(403, taken);
    return (socket) => {
      // Two handshakes may end in another order.
      if (this.#clients.mayBe(account)) this.#clients.add(account, role, socket);
      else socket.close(1008, 'another account is connected');
    };
  }

  #refuse(status: 400 | 401 | 403 | 404, fault: string): SocketDecision {
    this.#clients.fault(fault);
    return { status };
  }
}
