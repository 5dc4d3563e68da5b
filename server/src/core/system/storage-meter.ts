import Type, { type Static } from 'typebox';
import { nullable } from '../../lib/schema-parts.ts';

export const StorageSize = Type.Object(
  {
    name: Type.Enum(['ledger', 'knowledge', 'files'], {
      description:
        '`ledger`: all records; in PostgreSQL the entire database, including `knowledge`. ' +
        '`knowledge`: indexed documents. `files`: uploads and attachments of messages.',
    }),
    bytes: nullable(Type.Integer({ minimum: 0 }), 'Null when it cannot be determined.'),
  },
  { title: 'StorageSize' },
);
export type StorageSize = Static<typeof StorageSize>;

/** Says how much is stored. */
export interface StorageMeter {
  /** One size for each name, in the order of the names. */
  measure(): Promise<StorageSize[]>;
}
