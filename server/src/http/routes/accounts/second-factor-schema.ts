import Type from 'typebox';
import { ProposedSecondFactor, SecondFactorCode, SecondFactorStatus } from '../../../core/accounts/second-factor.ts';

const closed = { additionalProperties: false };
const password = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Password of the account; omitted only by accounts without one.',
  }),
);

export const ProposeBody = Type.Object({ password }, closed);
export const EnableBody = Type.Object({ code: SecondFactorCode }, closed);
export const DisableBody = Type.Object({ password, code: SecondFactorCode }, closed);
export const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: 'Each signs in once. Shown only once.' }),
});
export { ProposedSecondFactor, SecondFactorStatus };
