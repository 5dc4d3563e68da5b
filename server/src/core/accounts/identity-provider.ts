import { ParleyError } from '@parley/sdk';
import type { Configuration } from 'openid-client';
import type { Identity } from './identity-store.ts';

export interface IdentityProviderOptions {
  issuer: string;
  clientId: string;
  /** Null for a client without one, which PKCE protects. */
  clientSecret: string | null;
  /** For all calls to the provider. */
  fetch: typeof fetch;
}

/** State between the redirect to the provider and its response, held only by the browser that was redirected. */
export interface PendingQuestion {
  redirect_uri: string;
  state: string;
  nonce: string;
  code_verifier: string;
}

/** The identity that the provider confirmed. */
export interface ProvenIdentity {
  identity: Identity;
  /** How they call themselves there; not proven to be theirs. */
  name: string;
}

/**
 * Signs users in at an OpenID provider: code flow with PKCE, state and nonce; the signature of the response is checked.
 */
export class IdentityProvider {
  readonly #options: IdentityProviderOptions;
  #opened: Promise<Opened> | undefined;

  constructor(options: IdentityProviderOptions) {
    this.#options = options;
  }

  get issuer(): string {
    return this.#options.issuer;
  }

  /**
   * @returns the address to redirect the browser to, and the state to check the response against
   * @throws ParleyError `identity_provider_failed`
   */
  async ask(redirectUri: string): Promise<{ url: string; question: PendingQuestion }> {
    const { client, configuration } = await this.#open();
    const question = {
      redirect_uri: redirectUri,
      state: client.randomState(),
      nonce: client.randomNonce(),
      code_verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state: question.state,
      nonce: question.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(question.code_verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, question };
  }

  /**
   * @param answer the query that the provider sent the browser back with
   * @throws ParleyError `identity_provider_failed`, also when the answer belongs to another question
   */
  async read(answer: string, question: PendingQuestion): Promise<ProvenIdentity> {
    const { client, configuration } = await this.#open();
    const url = new URL(question.redirect_uri);
    url.search = answer;
    try {
      const tokens = await client.authorizationCodeGrant(configuration, url, {
        expectedState: question.state,
        expectedNonce: question.nonce,
        pkceCodeVerifier: question.code_verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('The provider sent no ID token');
      // Many providers return more claims from the userinfo endpoint.
      const profile =
        nameIn(claims) === null
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub).catch(() => claims)
          : claims;
      return { identity: { issuer: this.issuer, subject: claims.sub }, name: nameIn(profile) ?? claims.sub };
    } catch (error) {
      throw failed(error);
    }
  }

  #open(): Promise<Opened> {
    // A provider that was unreachable is retried.
    this.#opened ??= this.#discover().catch((error: unknown) => {
      this.#opened = undefined;
      throw failed(error);
    });
    return this.#opened;
  }

  async #discover(): Promise<Opened> {
    // Loaded at the first question: few installations have a provider.
    const client = await import('openid-client');
    const { issuer, clientId, clientSecret, fetch } = this.#options;
    const address = new URL(issuer);
    const configuration = await client.discovery(
      address,
      clientId,
      undefined,
      clientSecret === null ? client.None() : client.ClientSecretBasic(clientSecret),
      {
        [client.customFetch]: fetch as never,
        execute: [
          client.enableNonRepudiationChecks,
          // The operator chose the address, which may be on this machine.
          ...(address.protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
        timeout: 10,
      },
    );
    return { client, configuration };
  }
}

interface Opened {
  client: typeof import('openid-client');
  configuration: Configuration;
}

function nameIn(claims: object): string | null {
  const { preferred_username, email, name } = claims as Record<string, unknown>;
  const found = [preferred_username, email, name].find((text) => typeof text === 'string' && text.trim() !== '');
  return found === undefined ? null : String(found).trim();
}

function failed(error: unknown): ParleyError {
  if (error instanceof ParleyError && error.reason === 'identity_provider_failed') return error;
  const why = error instanceof Error ? error.message : 'unknown fault';
  return new ParleyError('identity_provider_failed', `The identity provider did not confirm the sign-in: ${why}`, {
    cause: error,
  });
}
