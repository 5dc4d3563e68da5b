import { ParleyError } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { secondsFromNow } from '../../lib/clock.ts';
import type { Account } from './account.ts';
import type { Scope } from './api-key.ts';
import type { Principal } from './authenticator.ts';
import { type CallerConnection, ConnectedCallers } from './connected-callers.ts';
import { CredentialChanges } from './credential-changes.ts';
import type { Role } from './role.ts';
import type { Session } from './session.ts';

const checkInterval = 15_000;

let changes: CredentialChanges;
let callers: ConnectedCallers;
/** The stored records; a credential that is missing here has ended. */
let records: Map<string, Principal>;
let isStorageAway: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  changes = new CredentialChanges();
  records = new Map();
  isStorageAway = false;
  const current = async (principal: Principal) => {
    if (isStorageAway) throw new Error('the database is away');
    return records.get(nameOf(principal)) ?? null;
  };
  callers = new ConnectedCallers({ current }, changes, { perCaller: 3, inAll: 5 });
});
afterEach(() => {
  vi.useRealTimers();
});

const soon = () => secondsFromNow(3600);
const nameOf = (principal: Principal) => (principal.kind === 'user' ? principal.session.uuid : `key ${principal.id}`);

function store(principal: Principal): Principal {
  records.set(nameOf(principal), principal);
  return principal;
}

function key(
  id: number,
  scopes: Scope[] = ['read', 'send'],
  expires_at: string | null = null,
  role: Role = 'admin',
): Principal {
  return store({ kind: 'api-key', id, name: 'program', scopes, expires_at, account_uuid: null, role });
}

function session(uuid: string, account = 'ada', expires_at = secondsFromNow(3600), role: Role = 'admin'): Principal {
  return store({
    kind: 'user',
    account: { uuid: account, role } as Account,
    session: { uuid, account_uuid: account, expires_at } as Session,
  });
}

/** A connection that remembers why it was ended; `leave` closes it from the other side. */
async function connect(principal: Principal, over: Partial<CallerConnection> = {}) {
  const connection = { ended: null as string | null, leave: () => {} };
  await callers.join({
    kind: 'socket',
    principal,
    required: { credential: 'either', scope: 'send', role: 'member' },
    end: ({ reason }) => {
      connection.ended = reason;
    },
    onClose: (listener) => {
      connection.leave = listener;
    },
    ...over,
  });
  return connection;
}

describe('a connected caller is ended', () => {
  it('in the call that revokes the key, and others stay', async () => {
    const [revoked, other] = [await connect(key(1)), await connect(key(2))];
    records.delete('key 1');
    await changes.notify({ apiKey: 1 });
    expect([revoked.ended, other.ended]).toEqual(['unauthorized', null]);
  });

  it('in the call that ends the session, and other sessions of the account stay', async () => {
    const [ended, other] = [await connect(session('one')), await connect(session('two'))];
    records.delete('one');
    await changes.notify({ session: 'one' });
    expect([ended.ended, other.ended]).toEqual(['unauthorized', null]);
  });

  it('in the call that changes the account, with what depends on it', async () => {
    const sessions = [await connect(session('one')), await connect(session('two'))];
    const [unaffected, ofAccount] = [await connect(session('three', 'grace')), await connect(key(1))];
    for (const name of ['one', 'two', 'key 1']) records.delete(name);
    await changes.notify({ account: 'ada' });
    expect([...sessions, ofAccount, unaffected].map(({ ended }) => ended)).toEqual([
      'unauthorized',
      'unauthorized',
      'unauthorized',
      null,
    ]);
  });

  it('when the credential reaches less far than the connection needs', async () => {
    const socket = await connect(key(1));
    const stream = await connect(key(1), {
      kind: 'event-stream',
      required: { credential: 'either', scope: 'read', role: 'member' },
    });
    key(1, ['read']);
    await changes.notify({ apiKey: 1 });
    expect([socket.ended, stream.ended]).toEqual(['scope_required', null]);
  });

  it('when the role of its account changes, with the keys of the account', async () => {
    const [demoted, ofAccount] = [await connect(session('one')), await connect(key(1))];
    const [promoted, unaffected] = [
      await connect(session('two', 'mel', soon(), 'member')),
      await connect(session('three')),
    ];
    session('one', 'ada', soon(), 'member');
    key(1, ['read', 'send'], null, 'member');
    session('two', 'mel');
    await changes.notify({ account: 'ada' });
    await changes.notify({ account: 'mel' });
    const ended = [demoted, ofAccount, promoted, unaffected].map((connection) => connection.ended);
    expect(ended).toEqual(['role_changed', 'role_changed', 'role_changed', null]);
  });

  it('when its new role does not reach the connection', async () => {
    const required = { credential: 'either', scope: 'send', role: 'admin' } as const;
    const connection = await connect(session('one'), { required });
    session('one', 'ada', soon(), 'member');
    await changes.notify({ account: 'ada' });
    expect(connection.ended).toBe('role_required');
  });

  it('when the credential expires, however far away', async () => {
    const [soon, late] = [await connect(key(1, ['send'], secondsFromNow(60))), await connect(session('one'))];
    const distant = await connect(key(2, ['send'], secondsFromNow(40 * 24 * 3600)));
    const expire = async (seconds: number, name: string) => {
      // Without the periodic check, which would find it as well.
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
      records.delete(name);
    };
    await expire(60, 'key 1');
    expect(soon.ended).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect([soon.ended, late.ended, distant.ended]).toEqual(['unauthorized', null, null]);
    await expire(3540, 'one');
    await vi.advanceTimersByTimeAsync(1);
    expect([late.ended, distant.ended]).toEqual(['unauthorized', null]);
  });

  it('not at the old expiry of a session that was renewed', async () => {
    const connection = await connect(session('one', 'ada', secondsFromNow(20)));
    session('one', 'ada', secondsFromNow(40));
    await vi.advanceTimersByTimeAsync(25_000);
    expect(connection.ended).toBeNull();
    records.delete('one');
    await vi.advanceTimersByTimeAsync(4999);
    expect(connection.ended).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(connection.ended).toBe('unauthorized');
  });

  it('at the next check, when another process changed the credential', async () => {
    const connection = await connect(key(1));
    records.delete('key 1');
    await vi.advanceTimersByTimeAsync(checkInterval - 1);
    expect(connection.ended).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(connection.ended).toBe('unauthorized');
  });

  it('when the credential cannot be checked', async () => {
    const connection = await connect(key(1));
    isStorageAway = true;
    await vi.advanceTimersByTimeAsync(checkInterval);
    expect(connection.ended).toBe('storage_unavailable');
  });
});

describe('a caller is refused', () => {
  it('when the credential ended after it was checked', async () => {
    const revoked = key(1);
    records.delete('key 1');
    await expect(connect(revoked)).rejects.toMatchObject({ reason: 'unauthorized' });
    isStorageAway = true;
    await expect(connect(key(2))).rejects.toMatchObject({ reason: 'storage_unavailable' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('beyond the limit of one caller, over all its sessions, until a connection closes', async () => {
    const [first] = [await connect(session('one')), await connect(session('two')), await connect(session('two'))];
    await expect(connect(session('three'))).rejects.toMatchObject({
      reason: 'too_many_requests',
      retryAfterSeconds: 15,
      message: 'Too many open web chat sockets: 3 of this caller',
    });
    await connect(session('one'), { kind: 'event-stream' });
    await connect(key(1));
    first.leave();
    await connect(session('three'));
  });

  it('beyond the limit of all callers', async () => {
    for (let id = 1; id <= 5; id += 1) await connect(key(id));
    const refused = connect(key(6));
    await expect(refused).rejects.toBeInstanceOf(ParleyError);
    await expect(refused).rejects.toThrow('Too many open web chat sockets: 5 in all');
  });
});

it('no timer is left when everybody has gone', async () => {
  const connections = [await connect(key(1, ['send'], secondsFromNow(60))), await connect(session('one'))];
  expect(vi.getTimerCount()).toBe(3);
  for (const { leave } of connections) leave();
  expect(vi.getTimerCount()).toBe(0);
});
