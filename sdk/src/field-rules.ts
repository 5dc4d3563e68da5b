import { basicFieldRules } from './basic-field-rules.ts';

/** Rules that fields of some requests may break, with their English texts. */
export const particularFieldRules = {
  address: 'Enter an address that starts with http:// or https://.',
  addressAccount: 'Leave out the user name and password.',
  ascii: 'Use only letters, digits and symbols of ASCII.',
  missing: 'This record does not exist.',
  secret: 'Enter the complete secret again.',
  future: 'Enter a time in the future.',
  price: 'Prices must be numbers from 0 to {{limit}}.',
  priceFile: 'This is not a price list. Use JSON, or CSV with the columns model_name, input_price and output_price.',
  currency: 'Unknown currency code.',
  unfinished: 'Enter a complete value.',
  notUuid: 'Must not look like a UUID.',
  reserved: 'This name is reserved.',
  ambiguous: 'Several records have this name.',
  outdated: 'This was changed meanwhile. Reload the page.',
  unavailable: 'This is not available.',
  modelKind: 'The provider has no models of this kind.',
  privateAddress: 'This address is in a private network.',
  socketAddress: 'Enter an address that starts with ws:// or wss://.',
  proxy: 'Enter the address of a proxy, such as http://user:password@proxy.example:3128.',
  publicAddress: 'A webhook needs the public address of this server. Set PARLEY_PUBLIC_URL, or disable the webhook.',
  target: 'The ID does not have the form of this platform.',
  platformSignIn: 'The sign-in at the platform has expired. Sign in again.',
  condition: 'Add at least one condition.',
  timeZone: 'Enter a time zone, such as Europe/Berlin.',
  regex: 'Not a valid regular expression. Backreferences and lookarounds are not supported.',
  emptyMatch: 'The regular expression must not match an empty text.',
  patternCount: 'At most {{limit}} regular expressions are possible.',
  patternSize: 'The regular expressions are too large together.',
  imageType: 'Choose a PNG, JPEG, GIF or WebP image.',
  variableName: 'Variable names contain only letters, digits and underscores.',
  headerName: 'This is not a valid header name.',
  headerValue: 'This is not a valid header value.',
  pipelineFile: 'This file is not an exported pipeline.',
  pipelineFileVersion: 'The file was exported by another version of Parley.',
} as const;

/**
 * Rules that fields of requests may break, with their English texts: keywords of JSON Schema, and those of Parley.
 * `{{limit}}` is what the rule allows.
 */
export const fieldRules = { ...basicFieldRules, ...particularFieldRules };

export type FieldRule = keyof typeof fieldRules;
