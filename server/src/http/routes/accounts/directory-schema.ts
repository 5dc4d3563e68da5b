import Type from 'typebox';
import { AccountRecord, CreateAccount, UpdateAccount } from '../../../core/accounts/account.ts';

export const AccountParams = Type.Object({ account_uuid: Type.String() });
export const AccountList = Type.Object({ accounts: Type.Array(AccountRecord) });

export const CreatedAccount = Type.Object({
  uuid: Type.String({ format: 'uuid' }),
  recovery_key: Type.String({ description: 'Resets the password once. It is shown this once.' }),
});

export const RemoveAccountQuery = Type.Object(
  {
    api_keys: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'What becomes of the API keys that the account made: `revoke` (as without it), `installation` to keep them as keys ' +
          'of the installation, or the uuid of the account that has them from now on.',
      }),
    ),
  },
  { additionalProperties: false },
);
export { CreateAccount, UpdateAccount };
