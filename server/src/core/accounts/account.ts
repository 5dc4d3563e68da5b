import Type, { type Static } from 'typebox';
import { nullable, Timestamp } from '../../lib/schema-parts.ts';
import { Role } from './role.ts';

/** Someone who signs in. `version` rises with each password change, which ends all sessions of before. */
export interface Account {
  uuid: string;
  user: string;
  role: Role;
  password_hash: string;
  /** SHA-256 of the one-time recovery key. */
  recovery_hash: string;
  /** When the recovery key was created; null if that is not recorded, or it was never shown. */
  recovery_key_created_at?: string | null | undefined;
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

/** An account as those who manage the installation see it. */
export const AccountRecord = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    user: Type.String(),
    role: Role,
    created_at: Timestamp,
    last_signed_in_at: nullable(Timestamp, 'Null when it did not sign in for 30 days.'),
    api_key_count: Type.Integer({
      minimum: 0,
      description: 'API keys that it made or was handed, the expired ones too.',
    }),
  },
  { title: 'Account' },
);
export type AccountRecord = Static<typeof AccountRecord>;

/** An account created by an admin. */
export const CreateAccount = Type.Object(
  { user: UserName, password: NewPassword, role: Type.Optional(Role) },
  { additionalProperties: false },
);
export type CreateAccount = Static<typeof CreateAccount>;

export const UpdateAccount = Type.Object({ role: Type.Optional(Role) }, { additionalProperties: false });
export type UpdateAccount = Static<typeof UpdateAccount>;

export const AccountInfo = Type.Object(
  {
    user: Type.String(),
    role: Role,
    account_type: Type.Literal('local'),
    has_password: Type.Boolean(),
    recovery_key_created_at: nullable(
      Timestamp,
      'When the recovery key was created. Null if there is none that was shown, or it is from before this was recorded.',
    ),
  },
  { title: 'AccountInfo' },
);
export type AccountInfo = Static<typeof AccountInfo>;
