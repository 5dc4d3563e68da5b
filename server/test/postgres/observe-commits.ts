import { Connection } from 'pg';

/**
 * Observes every commit of this process on PostgreSQL from now on, when its confirmation arrives and before the client
 * receives it.
 * @param observe receives the number of rows in the largest insert of the transaction
 */
export function observeCommits(observe: (inserted: number) => void): void {
  const largest = new WeakMap<Connection, number>();
  const { emit } = Connection.prototype;
  Connection.prototype.emit = function (this: Connection, event, ...values) {
    if (event === 'commandComplete') {
      const { text } = values[0] as { text: string };
      const [command, , rows] = text.split(' ');
      const inserted = largest.get(this) ?? 0;
      if (command === 'BEGIN') largest.set(this, 0);
      if (command === 'INSERT') largest.set(this, Math.max(inserted, Number(rows)));
      if (command === 'COMMIT') observe(inserted);
    }
    return emit.call(this, event, ...values);
  };
}
