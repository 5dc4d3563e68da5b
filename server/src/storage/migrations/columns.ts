import type { ColumnDefinitionBuilder } from 'kysely';
import type { Engine } from '../engine.ts';

/** What a migration says of a column. */
export type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

export const required: Column = (column) => column.notNull();
export const key: Column = (column) => column.primaryKey();

/** An integer that the engine counts up. */
export function identity(engine: Engine): Column {
  return (column) =>
    engine === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity();
}
