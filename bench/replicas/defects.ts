import type { Replacement } from '../faults/lib/source-tree.ts';

/** A fault of the program among several processes that has to be found. */
export interface ReplicaDefect {
  name: string;
  /** What makes it: the sources have to hold each text exactly once. */
  replacements: readonly Replacement[];
  /** The file of tests that finds it. */
  test: string;
}

export const defects: readonly ReplicaDefect[] = [
  {
    name: 'unfenced settle',
    replacements: [
      {
        file: 'server/src/storage/messages/postgres/ledger-batch.ts',
        from: 'return isUnfinished && question?.claimed_by === this.#tables.claims.claimant.id && question.claim === claim;',
        to: 'return isUnfinished && question?.claimed_by === this.#tables.claims.claimant.id && claim > 0;',
      },
    ],
    test: 'server/src/storage/messages/claims.test.ts',
  },
  {
    name: 'wall-clock liveness',
    replacements: [
      { file: 'server/src/lib/elapsed.ts', from: 'return uptime() * 1000;', to: 'return uptime() * 0 + Date.now();' },
    ],
    test: 'server/src/lib/elapsed.test.ts',
  },
  {
    name: 'check before the handshake',
    replacements: [
      {
        file: 'server/src/kit/call-fence.ts',
        from: `  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => {
        try {
          requireOpen(fence);
        } catch (error) {
          controller.abort(error as DeliveryError);
          return;
        }
`,
        to: `  return (dispatch) => (options, handler) => {
    requireOpen(fence);
    return dispatch(options, {
      onRequestStart: (controller, context) => {
`,
      },
      {
        file: 'server/src/kit/call-fence.ts',
        from: '    });\n}\n\n/**\n * Finishes the handshake',
        to: '    });\n  };\n}\n\n/**\n * Finishes the handshake',
      },
    ],
    test: 'server/src/kit/call-fence.test.ts',
  },
  {
    name: 'sessions not ended',
    replacements: [
      {
        file: 'server/src/storage/replicas/replica-statements.ts',
        from: 'select pg_terminate_backend(pid)',
        to: 'select pid',
      },
    ],
    test: 'server/src/storage/replicas/postgres-replica.test.ts',
  },
  {
    name: 'unnumbered notices',
    replacements: [
      {
        file: 'server/src/core/replicas/peer-notices.ts',
        from: 'if (first !== expected) for',
        to: 'if (expected === undefined) for',
      },
    ],
    test: 'server/src/core/replicas/peer-notices.test.ts',
  },
];
