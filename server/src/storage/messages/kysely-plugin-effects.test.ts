import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { plain } from '../../../test/stores/ledger-records.ts';
import { answered, answerOf, ledgerSteps, noRecord, sent, times } from '../../../test/stores/ledger-steps.ts';
import { afterDeath } from '../../../test/stores/replicas.ts';
import { storePlugin } from '../../../test/stores/store-plugin.ts';
import type { MessageClaim } from '../../core/messages/message.ts';
import { maximumStoredBytes } from '../../core/plugins/plugin-values.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyPluginStore } from '../plugins/kysely-plugin-store.ts';
import { KyselyPluginValues } from '../plugins/kysely-plugin-values.ts';
import { openLedger } from './open-ledger.ts';

const later = '2999-01-01T00:00:00.000Z';

describeOnEachEngine('effects of plugins', (storage) => {
  const { ledger, accept, claimed, end, deliveries } = ledgerSteps(storage);
  const effects = () => ledger().effects;
  const values = () => new KyselyPluginValues(storage().database, storage().engine);
  const installed = async () => {
    const id = `example/${newUuid()}`;
    await storePlugin(storage(), id);
    return id;
  };
  const question = async () => {
    await storePlugin(storage(), 'example/moderator');
    await accept('one', newUuid());
    return claimed();
  };
  const keyFor = ({ uuid: message_uuid, claim }: MessageClaim, ordinal = 0) => ({
    message_uuid,
    claim,
    plugin_id: 'example/moderator',
    point: 'received',
    ordinal,
  });
  const reply = (text: string) => ({ chain: plain(text), text, expiresAt: later });

  it('keep the first verdict of a listener', async () => {
    const message = await question();
    const { ordinal: _, ...source } = keyFor(message);
    expect(await effects().storeVerdict(source, { action: 'stop' })).toEqual({ action: 'stop' });
    expect(await effects().storeVerdict(source, { action: 'change' })).toEqual({ action: 'stop' });
    const { claim: __, ...stored } = source;
    expect(await effects().verdictsOn(message.uuid)).toEqual([{ ...stored, verdict: { action: 'stop' } }]);
  });

  it('are only stored by the process that has claimed the message', async () => {
    const message = await question();
    const other = await openLedger(storage(), { webhookWaitMs: 0, claimant: { id: newUuid() } });
    const notOurs = { detail: 'not_owner' };
    await expect(other.effects.storeVerdict(keyFor(message), {})).rejects.toMatchObject(notOurs);
    await expect(other.effects.storeReply(keyFor(message), message, reply('no'))).rejects.toMatchObject(notOurs);
    await expect(other.effects.beginSend(keyFor(message))).rejects.toMatchObject(notOurs);
    const addition = { plugin_id: 'example/moderator', key: 'none', amount: 1 };
    await expect(other.effects.add(keyFor(message), addition)).rejects.toMatchObject(notOurs);
  });

  it('store a reply once, behind the message, and keep it open until it ended', async () => {
    const message = await question();
    const first = await effects().storeReply(keyFor(message), message, reply('first'));
    expect(first).toMatchObject({
      message: { direction: 'outbound', reply_to: null, sequence: 2, text: 'first', session_id: message.session_id },
      delivery: { state: 'pending', expires_at: later, message_chain: plain('first') },
    });
    expect(await effects().storeReply(keyFor(message), message, reply('changed'))).toEqual(first);
    const second = await effects().storeReply(keyFor(message, 1), message, reply('second'));
    expect(await effects().openReplies(message.uuid)).toEqual([first, second]);

    await effects().beginReply(first.message.uuid, message);
    expect((await effects().openReplies(message.uuid))[0]?.delivery.state).toBe('sending');
    await effects().postponeReply(first.message.uuid, message, {
      reason: 'quota',
      error: 'later',
      unconfirmed_since: null,
    });
    expect((await effects().openReplies(message.uuid))[0]?.delivery).toMatchObject({
      state: 'pending',
      reason: 'quota',
    });
    await effects().endReply(first.message.uuid, message, sent);
    expect(await effects().openReplies(message.uuid)).toEqual([second]);
  });

  it('leave the answer to the message as it is', async () => {
    const message = await question();
    const { message: stored } = await effects().storeReply(keyFor(message), message, reply('reply'));
    expect(await ledger().deliveries.answerTo(message.uuid)).toBeNull();
    const { message: answer } = await ledger().deliveries.finishAnswer(message, answerOf('answer'), noRecord);
    expect(answer.sequence).toBe(stored.sequence + 1);
    await ledger().messages.settle(message, answered, {
      answer: { uuid: answer.uuid, piece: 0, delivery: sent },
      merged: [],
      record: null,
    });
    expect(await deliveries()).toMatchObject({ 'reply 0': 'pending', 'answer 0': 'sent' });
  });

  it('leave a reply that a crash interrupted to the next attempt, and no other message', async () => {
    const message = await question();
    const { message: stored } = await effects().storeReply(keyFor(message), message, reply('interrupted'));
    await effects().beginReply(stored.uuid, message);
    const { bot_uuid, pipeline_uuid, session_type, session_id, thread_id } = message;
    const key = { bot_uuid, pipeline_uuid, session_type, session_id, thread_id };
    await ledger().deliveries.createOutgoing(key, plain('unsolicited'), 'unsolicited');
    await afterDeath(storage(), ledger().messages);
    expect(await deliveries()).toMatchObject({ 'interrupted 0': 'sending', 'unsolicited 0': 'uncertain' });
  });

  it('end with a message that its user cancels while it waits', async () => {
    const message = await question();
    await effects().storeReply(keyFor(message), message, reply('pending'));
    const { message: started } = await effects().storeReply(keyFor(message, 1), message, reply('started'));
    await effects().beginReply(started.uuid, message);
    await ledger().messages.release(message, { until: later, reason: 'quota' });
    await ledger().messages.stopWaiting(message.conversation_uuid, 100, 'reset');
    expect(await deliveries()).toMatchObject({ 'pending 0': 'failed', 'started 0': 'uncertain' });
    expect(await effects().openReplies(message.uuid)).toEqual([]);
  });

  it('send a message once, and tell how that went', async () => {
    const message = await question();
    expect(await effects().beginSend(keyFor(message))).toBeNull();
    expect(await effects().beginSend(keyFor(message))).toEqual({ state: 'sending' });
    await effects().endSend(keyFor(message), { state: 'sent' });
    expect(await effects().beginSend(keyFor(message))).toEqual({ state: 'sent' });
    expect(await effects().beginSend(keyFor(message, 1))).toBeNull();
  });

  it('add to a number once for each effect, whoever adds at the same time', async () => {
    const message = await question();
    const plugin_id = await installed();
    const addition = { plugin_id, key: 'count', amount: 2 };
    const sums = await times(20, (ordinal) => effects().add({ ...keyFor(message, ordinal), plugin_id }, addition));
    expect(sums.toSorted((left, right) => left - right)).toEqual(sums.map((_, index) => 2 * (index + 1)));
    expect(await effects().add({ ...keyFor(message, 7), plugin_id }, addition)).toBe(sums[7]);
    expect(await effects().add(null, { ...addition, amount: 0.5 })).toBe(40.5);
    await values().set(plugin_id, 'count', '"many"');
    await expect(effects().add(null, addition)).rejects.toMatchObject({ reason: 'conflict' });
  });

  it('end with their message and with their plugin', async () => {
    const message = await question();
    await effects().storeVerdict(keyFor(message), {});
    const other = await installed();
    await effects().storeReply({ ...keyFor(message), plugin_id: other }, message, reply('bye'));
    await values().removeAll('example/moderator');
    expect(await effects().verdictsOn(message.uuid)).toEqual([]);
    await end(message);
    await storage().database.deleteFrom('messages').where('uuid', '=', message.uuid).execute();
    const left = storage()
      .database.selectFrom('plugin_effects')
      .select('kind')
      .where('message_uuid', '=', message.uuid);
    expect(await left.execute()).toEqual([]);
  });

  it('keep values by plugin and key', async () => {
    const [one, other] = [await installed(), await installed()];
    for (const key of ['b', 'a', 'c%', 'cx', '日本', '日']) await values().set(one, key, `"${key}"`);
    expect(await values().get(one, 'c%')).toBe('"c%"');
    expect(await values().get(other, 'a')).toBeNull();
    await values().delete(one, 'b');
    await values().delete(one, 'unknown');
    const all = { prefix: '', after: '', limit: 10 };
    expect(await values().keys(one, all)).toEqual(['a', 'c%', 'cx', '日', '日本']);
    expect(await values().keys(one, { ...all, prefix: 'c%' })).toEqual(['c%']);
    expect(await values().keys(one, { ...all, prefix: '日' })).toEqual(['日', '日本']);
    expect(await values().keys(one, { ...all, after: 'a', limit: 1 })).toEqual(['c%']);
    expect(await values().keys(other, all)).toEqual([]);
  });

  it('are refused, as values are, once their plugin is not installed any more', async () => {
    const plugin_id = await installed();
    const { database, engine } = storage();
    const plugins = new KyselyPluginStore(database, engine);
    const notInstalled = { reason: 'plugin_not_running' };
    await values().set(plugin_id, 'kept', '1');
    await plugins.uninstall(plugin_id, [], later);
    await expect(values().set(plugin_id, 'late', '1')).rejects.toMatchObject(notInstalled);
    await expect(values().delete(plugin_id, 'kept')).rejects.toMatchObject(notInstalled);
    expect(await values().get(plugin_id, 'kept')).toBe('1');
    await values().removeAll(plugin_id);
    await plugins.remove(plugin_id);
    const addition = { plugin_id, key: 'late', amount: 1 };
    const message = await question();
    const late = { ...keyFor(message), plugin_id };
    await expect(effects().add(late, addition)).rejects.toMatchObject(notInstalled);
    await expect(effects().storeVerdict(late, {})).rejects.toMatchObject(notInstalled);
    await expect(effects().storeReply(late, message, reply('late'))).rejects.toMatchObject(notInstalled);
    await expect(effects().beginSend(late)).rejects.toMatchObject(notInstalled);
    expect(await effects().openReplies(message.uuid)).toEqual([]);
    expect(await values().keys(plugin_id, { prefix: '', after: '', limit: 10 })).toEqual([]);
  });

  it('refuse values beyond the limit, and count what was replaced and removed', async () => {
    const plugin = await installed();
    const half = JSON.stringify('x'.repeat(maximumStoredBytes / 2));
    await values().set(plugin, 'one', half);
    await expect(values().set(plugin, 'two', half)).rejects.toMatchObject({ reason: 'plugin_storage_full' });
    await values().set(plugin, 'one', half);
    await values().set(plugin, 'one', '1');
    await values().set(plugin, 'two', half);
    await values().delete(plugin, 'two');
    await values().set(plugin, 'three', half);
    const size = storage().database.selectFrom('plugin_value_sizes').select('bytes').where('plugin_id', '=', plugin);
    const rows = storage().database.selectFrom('plugin_values').select('bytes').where('plugin_id', '=', plugin);
    const summed = (await rows.execute()).reduce((sum, { bytes }) => sum + bytes, 0);
    expect((await size.executeTakeFirstOrThrow()).bytes).toBe(summed);
  });
});
