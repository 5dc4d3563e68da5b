import type { components } from '@parley/client';

/** The name of a record at that time, or its id. */
export function recordName({ before, after, record_id }: components['schemas']['AuditEntry']): string {
  for (const record of [after, before]) {
    const name = record?.name ?? record?.user ?? record?.question ?? record?.file_name;
    if (typeof name === 'string' && name !== '') return name;
  }
  return record_id;
}
