import { createHash, createPublicKey, verify } from 'node:crypto';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { refusal } from './plugin-fault.ts';
import { readJson } from './read-json.ts';
import { signatureFile } from './read-manifest.ts';

/** The content of `parley-plugin.sig`. Both values are Base64. */
const SignatureFile = Type.Object(
  {
    algorithm: Type.Literal('ed25519'),
    /** 32 bytes. */
    public_key: Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' }),
    /** 64 bytes: of the exact bytes of the manifest. */
    signature: Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' }),
  },
  { additionalProperties: false },
);

/** Who signed a package. That the key is of the author is not known from the package. */
export interface PackageSignature {
  algorithm: 'ed25519';
  /** Base64. */
  public_key: string;
  /** SHA-256 of the 32 bytes of the key, in hexadecimal. */
  fingerprint: string;
}

/** @throws ParleyError `plugin_invalid` when the signature is not that of the manifest */
export function verifiedSignature(bytes: Uint8Array, manifest: Uint8Array): PackageSignature {
  const content = readJson(bytes, signatureFile);
  if (!Check(SignatureFile, content)) {
    throw refusal(signatureFile, 'must have algorithm "ed25519", public_key of 32 and signature of 64 bytes in Base64');
  }
  const { algorithm, public_key } = content;
  const key = Buffer.from(public_key, 'base64');
  const signature = Buffer.from(content.signature, 'base64');
  // Base64 has spare bits, in which two texts for one key would differ.
  const isCanonical = key.toString('base64') === public_key && signature.toString('base64') === content.signature;
  if (!isCanonical || !isValid(key, signature, manifest)) {
    throw refusal(signatureFile, 'is not the signature of the manifest');
  }
  return { algorithm, public_key, fingerprint: createHash('sha256').update(key).digest('hex') };
}

function isValid(key: Buffer, signature: Buffer, content: Uint8Array): boolean {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') };
    return verify(null, content, createPublicKey({ key: jwk, format: 'jwk' }), signature);
  } catch {
    // Not every 32 bytes are a key.
    return false;
  }
}
