import { ParleyError } from '@parley/sdk';
import type { Transaction } from 'kysely';
import type { Tables } from '../database.ts';
import type { Engine } from '../engine.ts';

/**
 * The row of a plugin while it is installed, locked until the transaction ends, so that the plugin is not removed meanwhile:
 * nothing is stored for it after its data are deleted, on whatever replica it still runs.
 */
export function installedPlugin(transaction: Transaction<Tables>, engine: Engine, plugin_id: string) {
  return transaction
    .selectFrom('plugins')
    .where('id', '=', plugin_id)
    .where('installed', 'is not', null)
    .$if(engine === 'postgres', (query) => query.forShare());
}

export function notInstalledError(): ParleyError {
  return new ParleyError('plugin_not_running', 'It was removed');
}
