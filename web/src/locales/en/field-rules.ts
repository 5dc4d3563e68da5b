import { particularFieldRules } from '@parley/sdk/field-rules';

/** Rules that only fields of some pages have; all others are in `errors.rules`. */
export const fieldRules: Record<keyof typeof particularFieldRules, string> = particularFieldRules;
