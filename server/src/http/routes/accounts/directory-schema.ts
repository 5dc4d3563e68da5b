import Type from 'typebox';
import { AccountRecord, CreateAccount, UpdateAccount } from '../../../core/accounts/account.ts';

export const AccountParams = Type.Object({ account_uuid: Type.String() });
export const AccountList = Type.Object({ accounts: Type.Array(AccountRecord) });

export const CreatedAccount = Type.Object({
  uuid: Type.String({ format: 'uuid' }),
  recovery_key: Type.String({ description: 'Resets the password once. Shown only once.' }),
});

export const RemoveAccountQuery = Type.Object(
  {
    api_keys: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'What happens to the API keys that the account created: `revoke` (default), `installation` to convert them to keys ' +
          'of the installation, or the uuid of the account to transfer them to.',
      }),
    ),
  },
  { additionalProperties: false },
);
export { CreateAccount, UpdateAccount };
