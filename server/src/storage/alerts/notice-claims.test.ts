import { beforeEach, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import type { DueNotice, NoticeProgress } from '../../core/alerts/alert-store.ts';
import type { StoredAlertTarget } from '../../core/alerts/alert-target.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Storage } from '../storage.ts';
import { KyselyAlertStore } from './kysely-alert-store.ts';

const timestamp = '2026-01-01T00:00:00.000Z';
const now = Date.parse(timestamp);
const again: NoticeProgress = { state: 'pending', due_at: now, error: 'no answer' };
const delivered: NoticeProgress = { state: 'delivered', due_at: null, error: null };

describeOnEachEngine('claims of notices', (storage) => {
  const storeOf = ({ database, engine, replica }: Storage) => new KyselyAlertStore(database, engine, replica);
  let first: Storage;
  let second: Storage;
  beforeEach(async () => {
    first = await otherReplica(storage());
    second = await otherReplica(storage());
  });

  /** Begins an alert with a notice to a target of each kind. */
  const begin = async (...kinds: StoredAlertTarget['kind'][]) => {
    const store = storeOf(first);
    const times = { created_at: timestamp, updated_at: timestamp };
    const targets = kinds.map(() => newUuid());
    for (const [index, kind] of kinds.entries()) {
      const target = { name: kind, kind, language: 'en', config: {}, secret: '', sealed_secrets: null } as const;
      await store.createTarget({ ...target, ...times, uuid: targets[index] as string }, 100);
    }
    const rule_uuid = newUuid();
    await store.createRule(
      {
        uuid: rule_uuid,
        name: 'Offline',
        kind: 'bot_offline',
        enabled: true,
        parameters: { bot_uuid: null },
        minimum_minutes: 0,
        muted_until: null,
        targets,
        held_ms: 0,
        ...times,
      },
      100,
    );
    const alert = { rule_uuid, rule_name: 'Offline', kind: 'bot_offline', facts: {} as never } as const;
    await store.begin({ ...alert, started_at: timestamp, targets }, { now, expires_at: now + 1000 });
  };
  const due = (store: KyselyAlertStore) => store.dueNotices(now, now + 1_000_000, 10);
  const rows = () => storage().database.selectFrom('alert_notices').selectAll().orderBy('target_kind').execute();

  it('are of one replica each', async () => {
    await begin('email', 'webhook', 'chat');
    const replicas = [first, second, await otherReplica(storage()), await otherReplica(storage())];
    const notices = await due(storeOf(first));
    for (const notice of notices) {
      const claims = await Promise.all(replicas.map((replica) => storeOf(replica).claimNotice(notice)));
      expect(claims.filter(Boolean)).toHaveLength(1);
      const [row] = (await rows()).filter(({ uuid }) => uuid === notice.uuid);
      expect(row?.claimed_by).toBe(replicas[claims.indexOf(true)]?.replica.id);
    }
    const [alert] = await storeOf(first).alerts({ limit: 1, before: null });
    expect(JSON.stringify(alert)).not.toContain('claimed_by');
  });

  it('are of the state that was read, not of one that another replica left', async () => {
    await begin('email');
    const [notice] = (await due(storeOf(second))) as [DueNotice];
    expect(await storeOf(first).claimNotice(notice)).toBe(true);
    expect(await storeOf(first).settleNotice(notice, again, now)).toBe(true);
    expect(await storeOf(second).claimNotice(notice)).toBe(false);
    expect(await rows()).toMatchObject([{ state: 'pending', attempts: 1, claimed_by: null }]);
  });

  it.each(['another replica', 'the same replica'])('of an earlier one store nothing when %s claimed it', async (by) => {
    await begin('email');
    const [outdated] = (await due(storeOf(first))) as [DueNotice];
    await storeOf(first).claimNotice(outdated);
    const next = by === 'another replica' ? second : first;
    if (by === 'another replica') await takeOver(first, storeOf(second));
    else await storeOf(first).settleNotice(outdated, again, now);
    const present = { ...outdated, attempts: 1 };
    expect(await storeOf(next).claimNotice(present)).toBe(true);
    const before = await rows();
    expect(await storeOf(first).settleNotice(outdated, delivered, now)).toBe(false);
    expect(await storeOf(first).settleNotice(outdated, again, now)).toBe(false);
    expect(await rows()).toEqual(before);
    expect(await storeOf(next).settleNotice(present, delivered, now)).toBe(true);
    expect(await rows()).toMatchObject([{ state: 'delivered', attempts: 2, claimed_by: null }]);
  });

  it('are taken over from dead replicas alone: to chats as uncertain, others are due again', async () => {
    await begin('chat', 'email', 'webhook');
    const notices = await due(storeOf(first));
    for (const notice of notices) {
      await storeOf(notice.target_uuid === (await rows())[2]?.target_uuid ? second : first).claimNotice(notice);
    }
    const before = await rows();
    await storeOf(second).recoverNotices(now);
    expect(await rows()).toEqual(before);
    await takeOver(first, storeOf(second));
    expect(await rows()).toMatchObject([
      { target_kind: 'chat', state: 'uncertain', due_at: null, claimed_by: null },
      { target_kind: 'email', state: 'pending', due_at: expect.anything(), claimed_by: null },
      { target_kind: 'webhook', state: 'sending', due_at: null, claimed_by: second.replica.id },
    ]);
    expect((await rows())[2]).toEqual(before[2]);
  });
});
