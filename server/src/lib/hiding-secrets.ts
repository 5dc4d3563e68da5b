import { maskSign } from './mask.ts';

/** Shorter texts are no secrets, and would be found in everything. */
const shortestSecret = 6;

/** Creates a function that hides these secrets anywhere in a text, verbatim or URL-encoded. */
export function hidingSecrets(secrets: readonly string[]): (text: string) => string {
  const hidden = secrets
    .filter((secret) => secret.length >= shortestSecret)
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])
    // One secret may contain another.
    .sort((left, right) => right.length - left.length);
  return (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, maskSign), text);
}
