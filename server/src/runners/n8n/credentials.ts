import { ParleyError } from '@parley/sdk';
import type { N8nConfig } from './config.ts';

/** Lifetime and subject of a token; webhooks may check the latter. */
const tokenLife = '1h';
const tokenSubject = 'n8n-webhook';

export interface Credentials {
  headers: Record<string, string>;
  /** Secrets to redact from errors. */
  secrets: string[];
}

/** Credentials for a webhook. @throws ParleyError `invalid_request` for an invalid configuration */
export async function credentialsOf(config: N8nConfig): Promise<Credentials> {
  switch (config['auth-type']) {
    case 'none':
      return { headers: {}, secrets: [] };
    case 'basic': {
      const { 'basic-username': user, 'basic-password': password } = config;
      const encoded = Buffer.from(`${user}:${password}`).toString('base64');
      return { headers: { authorization: `Basic ${encoded}` }, secrets: [password, encoded] };
    }
    case 'jwt': {
      const token = await signedToken(config['jwt-secret'], config['jwt-algorithm'].trim() || 'HS256');
      return { headers: { authorization: `Bearer ${token}` }, secrets: [config['jwt-secret'], token] };
    }
    case 'header': {
      const { 'header-name': name, 'header-value': value } = config;
      if (name.trim() === '') throw new ParleyError('invalid_request', 'The pipeline has no header name for n8n.');
      return { headers: { [name.trim()]: value }, secrets: [value] };
    }
  }
}

/** @param secret a text for `HS…`, a private key in PEM (PKCS #8) for the others */
async function signedToken(secret: string, algorithm: string): Promise<string> {
  const { importPKCS8, SignJWT } = await import('jose');
  try {
    if (secret === '') throw new Error('There is no secret');
    const key = algorithm.startsWith('HS') ? new TextEncoder().encode(secret) : await importPKCS8(secret, algorithm);
    const token = new SignJWT({}).setProtectedHeader({ alg: algorithm, typ: 'JWT' });
    return await token.setSubject(tokenSubject).setIssuedAt().setExpirationTime(tokenLife).sign(key);
  } catch {
    throw new ParleyError('invalid_request', 'The token for n8n cannot be signed with this secret and algorithm.');
  }
}
