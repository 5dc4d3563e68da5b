/*
 * Rules that fields of any request may break, also on the first page of the console: see `fieldRules`.
 */
export const basicFieldRules = {
  required: 'Required.',
  additionalProperties: 'Unknown field.',
  enum: 'Must be one of: {{limit}}.',
  const: 'This value is not allowed.',
  minLength: 'Enter at least {{limit}} characters.',
  maxLength: 'Enter at most {{limit}} characters.',
  minimum: 'Must be at least {{limit}}.',
  maximum: 'Must be at most {{limit}}.',
  exclusiveMinimum: 'Must be greater than {{limit}}.',
  exclusiveMaximum: 'Must be less than {{limit}}.',
  minItems: 'Enter at least {{limit}} entries.',
  maxItems: 'Enter at most {{limit}} entries.',
  uniqueItems: 'Entries must not repeat.',
  pattern: 'The format is not valid.',
  format: 'The format is not valid.',
  type: 'The type of the value is not valid.',
  taken: 'This name is already in use.',
  characters: 'Contains a character that cannot be stored.',
  trimmed: 'Must not start or end with a space, or contain control characters.',
} as const;
