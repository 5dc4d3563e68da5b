import Type from 'typebox';
import { AccountInfo, NewPassword, UserName } from '../../../core/accounts/account.ts';
import { SecondFactorCode } from '../../../core/accounts/second-factor.ts';

/** Passwords that are only compared: any that was ever valid. */
const Password = Type.String({ minLength: 1, maxLength: 256 });

export const InitState = Type.Object({
  initialized: Type.Boolean(),
  setup_token_required: Type.Boolean({
    description: 'Whether this caller needs the set-up token of the link that the start prints.',
  }),
  signed_in: Type.Boolean({ description: 'Whether the request has a valid session.' }),
});

export const InitBody = Type.Object(
  { user: UserName, password: NewPassword, setup_token: Type.Optional(Type.String({ maxLength: 256 })) },
  { additionalProperties: false },
);

export const RecoveryKey = Type.Object({
  recovery_key: Type.String({ description: 'Resets the password once. Shown only once.' }),
});

export const AuthBody = Type.Object(
  { user: UserName, password: Password, code: Type.Optional(SecondFactorCode) },
  { additionalProperties: false },
);

export const Token = Type.Object({
  token: Type.String({
    description:
      'Sent as a bearer credential. Empty for the console: its session is a cookie that scripts cannot read.',
  }),
});

export const PublicAccountInfo = Type.Object({
  initialized: Type.Boolean(),
  account_type: Type.Optional(Type.Literal('local')),
  has_password: Type.Optional(Type.Boolean()),
});

export const ChangePasswordBody = Type.Object(
  { current_password: Password, new_password: NewPassword },
  { additionalProperties: false },
);

export const CreateRecoveryKeyBody = Type.Object({ current_password: Password }, { additionalProperties: false });

export const ResetPasswordBody = Type.Object(
  { user: UserName, recovery_key: Type.String({ minLength: 1, maxLength: 256 }), new_password: NewPassword },
  { additionalProperties: false },
);

export const SpaceCredits = Type.Object({ credits: Type.Null() });

export const User = Type.Object({ user: Type.String() });
export const UserWithRecoveryKey = Type.Object({ ...User.properties, ...RecoveryKey.properties });
export { AccountInfo };
