import Type from 'typebox';
import { AuditEntry } from '../../../core/audit/audit-entry.ts';

const Text = Type.Optional(Type.String({ minLength: 1, maxLength: 255 }));

export const AuditQuery = Type.Object({
  record_kind: Text,
  record_id: Text,
  action: Text,
  actor_id: Text,
  since: Type.Optional(Type.String({ format: 'date-time', description: 'The earliest time.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive end of the time range.' })),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
  // At most as many digits as every database accepts for an integer.
  cursor: Type.Optional(
    Type.String({ pattern: '^[1-9]\\d{0,8}$', description: '`next_cursor` of the previous page.' }),
  ),
});

export const AuditPage = Type.Object({
  entries: Type.Array(AuditEntry),
  next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'Null on the last page.' }),
});
