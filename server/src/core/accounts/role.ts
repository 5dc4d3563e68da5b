import Type, { type Static } from 'typebox';

export const Role = Type.Enum(['admin', 'member'], {
  description:
    '`admin` may do everything. `member` reads what the scope `read` reaches, chats, sends, retries deliveries and ' +
    'manages knowledge and its own account.',
});
export type Role = Static<typeof Role>;

/** Whether a role includes another one. */
export function reaches(role: Role, required: Role): boolean {
  return role === 'admin' || required === 'member';
}
