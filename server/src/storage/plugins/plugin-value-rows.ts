import { ParleyError } from '@parley/sdk';
import type { Transaction } from 'kysely';
import { maximumStoredBytes } from '../../core/plugins/plugin-values.ts';
import type { Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { installedPlugin, notInstalledError } from './installed-plugin.ts';

/** What each value takes beside its key and itself, bytes, so that many small ones are limited as well. */
const overhead = 64;

/** The value of a key as it is stored, JSON; null when there is none. */
export async function storedValue(
  transaction: Transaction<Tables>,
  plugin_id: string,
  key: string,
): Promise<string | null> {
  const row = await transaction
    .selectFrom('plugin_values')
    .select('value')
    .where('plugin_id', '=', plugin_id)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.value ?? null;
}

/**
 * Locks the values of a plugin until the transaction ends, so that their size is right whoever writes at the same time, and
 * the plugin is not removed meanwhile.
 * @throws ParleyError `plugin_not_running` when it is not installed any more: what it stored may have been deleted
 */
export async function lockValues(transaction: Transaction<Tables>, engine: Engine, plugin_id: string): Promise<void> {
  const locked = await transaction
    .insertInto('plugin_value_sizes')
    .columns(['plugin_id', 'bytes'])
    .expression(({ lit }) => installedPlugin(transaction, engine, plugin_id).select(['id', lit(0).as('bytes')]))
    .onConflict((conflict) =>
      conflict.column('plugin_id').doUpdateSet(({ ref }) => ({ bytes: ref('plugin_value_sizes.bytes') })),
    )
    .returning('plugin_id')
    .executeTakeFirst();
  if (locked === undefined) throw notInstalledError();
}

/**
 * Stores a value; the values are locked.
 * @param value JSON
 * @throws ParleyError `plugin_storage_full`
 */
export async function storeValue(
  transaction: Transaction<Tables>,
  { plugin_id, key, value }: { plugin_id: string; key: string; value: string },
): Promise<void> {
  const bytes = Buffer.byteLength(key) + Buffer.byteLength(value) + overhead;
  const before = await transaction
    .selectFrom('plugin_values')
    .select('bytes')
    .where('plugin_id', '=', plugin_id)
    .where('key', '=', key)
    .executeTakeFirst();
  const grows = bytes - (before?.bytes ?? 0);
  const { numUpdatedRows } = await transaction
    .updateTable('plugin_value_sizes')
    .set(({ eb }) => ({ bytes: eb('bytes', '+', grows) }))
    .where('plugin_id', '=', plugin_id)
    .$if(grows > 0, (query) => query.where('bytes', '<=', maximumStoredBytes - grows))
    .executeTakeFirst();
  if (Number(numUpdatedRows) === 0) {
    throw new ParleyError('plugin_storage_full', `A plugin may store ${maximumStoredBytes >> 20} MB`);
  }
  await transaction
    .insertInto('plugin_values')
    .values({ plugin_id, key, value, bytes })
    .onConflict((conflict) => conflict.columns(['plugin_id', 'key']).doUpdateSet({ value, bytes }))
    .execute();
}

/** Removes a value; the values are locked. */
export async function removeValue(transaction: Transaction<Tables>, plugin_id: string, key: string): Promise<void> {
  const removed = await transaction
    .deleteFrom('plugin_values')
    .where('plugin_id', '=', plugin_id)
    .where('key', '=', key)
    .returning('bytes')
    .executeTakeFirst();
  if (removed === undefined) return;
  await transaction
    .updateTable('plugin_value_sizes')
    .set(({ eb }) => ({ bytes: eb('bytes', '-', removed.bytes) }))
    .where('plugin_id', '=', plugin_id)
    .execute();
}
