import type { Logger } from '@parley/sdk';
import Type from 'typebox';
import type { Config } from '../config/index.ts';
import type { CredentialChange, CredentialChanges } from '../core/accounts/credential-changes.ts';
import type { StateChange, StateEvents } from '../core/events/state-events.ts';
import type { Cancellations } from '../core/messages/cancellations.ts';
import type { DueNotices } from '../core/replicas/due-notices.ts';
import type { DueWork } from '../core/replicas/due-work.ts';
import { OtherReplicas } from '../core/replicas/other-replicas.ts';
import { CallHandlers } from '../core/replicas/peer-calls.ts';
import { type NoticeAnswer, type NoticeBatch, noticeBatch, PeerNotices } from '../core/replicas/peer-notices.ts';
import type { TaskService } from '../core/tasks/task-service.ts';
import { present } from '../lib/clock.ts';
import type { Signal } from '../lib/signal.ts';
import { PeerClient } from '../peers/peer-client.ts';
import { PeerServer } from '../peers/peer-server.ts';
import type { Replica } from '../storage/replicas/replica.ts';
import { deriveKey } from '../storage/secret-key.ts';

interface PeerParts {
  config: Pick<Config, 'replicaAddress'>;
  logger: Logger;
  secretKey: Buffer;
  stateEvents: StateEvents;
}

/** The call that brings notices. */
const notify = 'notify';
/** How long a stop waits for calls of others, milliseconds. */
const patience = 3000;

/** Calls and notices between this replica and others. Without another one, nothing is sent. */
export function createPeers({ replica }: { replica: Replica }, { config, logger, secretKey, stateEvents }: PeerParts) {
  const addresses = new Map<string, string>();
  const callHandlers = new CallHandlers();
  const shared = { key: deriveKey(secretKey, 'replicas'), id: () => replica.id, present };
  const peerCalls = new PeerClient({ ...shared, address: (id) => addresses.get(id) ?? null });
  const otherReplicas = new OtherReplicas(peerCalls);
  const peerNotices = new PeerNotices({
    // A replica of the version before answers nothing.
    send: async (id, batch) => (await peerCalls.tell(id, notify, batch)) as NoticeAnswer | null,
  });
  callHandlers.add<NoticeBatch>(notify, noticeBatch, async (batch, { from }): Promise<NoticeAnswer> => {
    peerNotices.take(from, batch);
    return { isWatched: stateEvents.isWatched('message') };
  });
  replica.onBeat((seen) => {
    addresses.clear();
    for (const { id, address } of seen.replicas) if (address !== null) addresses.set(id, address);
    peerNotices.see([...addresses.keys()]);
    otherReplicas.see(seen.replicas.map(({ id }) => id));
  });
  replica.onReplaced(() => peerNotices.restart());
  let server: PeerServer | null = null;
  return {
    peerCalls,
    otherReplicas,
    callHandlers,
    peerNotices,
    peers: {
      /** Lets others call this replica, if it has an address for them. @throws Error with a message for the operator */
      open: async () => {
        if (config.replicaAddress === null) return;
        const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(config.replicaAddress) ?? [];
        const options = { ...shared, handlers: callHandlers, logger };
        const opened = await PeerServer.listen(host, Number(port), options).catch((error: NodeJS.ErrnoException) => {
          const fault = `The address ${config.replicaAddress} cannot be listened on (${error.code ?? error.message})`;
          throw new Error(`${fault}; see PARLEY_REPLICA_ADDRESS`, { cause: error });
        });
        server = opened.server;
        replica.announce(opened.address);
        logger.info({ address: opened.address }, 'other replicas can call this one');
      },
      /** Ends calls in both directions. */
      close: async () => {
        replica.announce(null);
        peerNotices.close();
        await server?.close(patience);
        await peerCalls.close();
      },
    },
  };
}

type Peers = Pick<ReturnType<typeof createPeers>, 'peerNotices'>;

export const cancelledAnswer = Type.Object({
  conversation: Type.String(),
  before: Type.Integer(),
  reason: Type.Enum(['cancelled', 'reset']),
});

const stateChange = Type.Object({
  type: Type.Enum(['bot', 'task', 'message']),
  data: Type.Record(Type.String(), Type.Unknown()),
});

/** Tells watchers of states what changes on other replicas. */
export function shareStateEvents({ peerNotices }: Peers, events: StateEvents): void {
  events.watchOwn(({ type, data }) => {
    // Each replica has its own connections to MCP servers.
    if (type === 'mcp-server') return;
    // Each message has several.
    peerNotices.tell('state', { type, data } satisfies StateChange, { isDeferrable: type === 'message' });
  });
  peerNotices.on<StateChange>('state', stateChange, (change) => events.publishOfOther(change));
  peerNotices.onMissed(() => events.missed());
}

const credentialChange = Type.Union([
  Type.Object({ session: Type.String() }),
  Type.Object({ account: Type.String() }),
  Type.Object({ apiKey: Type.Number() }),
]);

/** Ends connections of credentials that other replicas changed. */
export function shareCredentialChanges({ peerNotices }: Peers, changes: CredentialChanges): void {
  changes.watchOwn((change) => peerNotices.tell('credential', change));
  peerNotices.on<CredentialChange>('credential', credentialChange, (change) => {
    // A credential that cannot be checked ends its connections.
    void changes.apply(change);
  });
}

/** What beats find, and others tell, is done. */
export function followBeats(
  { replica }: { replica: Replica },
  {
    due,
    changed,
    cancellations,
    tasks,
    wake,
  }: {
    due: DueNotices;
    /** Records were changed here. */
    changed: Pick<Signal<void>, 'listen'>;
    cancellations: Pick<Cancellations, 'apply'>;
    tasks: Pick<TaskService, 'cancelRequested'>;
    /** Has work of a kind looked for. */
    wake: Record<DueWork, () => void>;
  },
): void {
  due.found.listen((work) => wake[work]());
  changed.listen(() => due.changed());
  due.changesTold.listen(() => replica.hurry());
  replica.onBeat((seen) => {
    for (const work of seen.due) wake[work]();
    for (const cancelled of seen.cancelled.answers) cancellations.apply(cancelled);
    for (const task of seen.cancelled.tasks) tasks.cancelRequested(task);
  });
}
