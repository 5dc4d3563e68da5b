import Type, { type Static } from 'typebox';

/** Someone who signs in. `version` rises with each password change, which ends all sessions of before. */
export interface Account {
  uuid: string;
  user: string;
  password_hash: string;
  /** SHA-256 of the one-time recovery key. */
  recovery_hash: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** A new password: long enough to resist guessing, short enough not to be a burden to hash. */
export const NewPassword = Type.String({ minLength: 8, maxLength: 256, description: 'At least 8 characters.' });

export const UserName = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '\\S',
  description: 'E-mail address or name.',
});

export const AccountInfo = Type.Object(
  {
    user: Type.String(),
    account_type: Type.Literal('local'),
    has_password: Type.Boolean(),
  },
  { title: 'AccountInfo' },
);
export type AccountInfo = Static<typeof AccountInfo>;
