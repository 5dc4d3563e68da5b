import { ParleyError, problemError } from '@parley/sdk';
import { Secret, TOTP } from 'otpauth';
import { now, present } from '../../lib/clock.ts';
import { verifyPassword } from '../../lib/password.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { fingerprint } from '../../lib/token.ts';
import type { Account } from './account.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import type { ProposedSecondFactor, SecondFactorStatus } from './second-factor.ts';
import type { SecondFactor, SecondFactorStore } from './second-factor-store.ts';

/** What authenticator apps call the service. */
const issuer = 'Parley';
/** Time steps before and after the present one whose codes are accepted, for clocks that differ. */
const tolerance = 1;
const recoveryCodes = { count: 10, bytes: 10 };

/** A proof of identity: password and second factor. */
export interface Proof {
  /** Omitted by accounts without one. */
  password: string | undefined;
  code: string;
}

/** Codes of authenticator apps (TOTP), required in addition to the password, and recovery codes for a lost app. */
export class SecondFactorService {
  readonly #store: SecondFactorStore;
  readonly #attempts: AttemptLimit;
  readonly #secrets: SecretBox;

  constructor(store: SecondFactorStore, attempts: AttemptLimit, secrets: SecretBox) {
    this.#store = store;
    this.#attempts = attempts;
    this.#secrets = secrets;
  }

  async status(accountUuid: string): Promise<SecondFactorStatus> {
    const factor = await this.#enabled(accountUuid);
    return {
      enabled: factor !== null,
      enabled_at: factor?.enabled_at ?? null,
      recovery_codes_left: factor?.recovery_codes_left ?? 0,
    };
  }

  /**
   * Creates a secret, which is not required before {@link enable}.
   * @param address of the user, for the limit of attempts
   * @throws ParleyError `invalid_credentials`, `too_many_requests`, or `conflict` when one is enabled
   */
  async propose(account: Account, password: string | undefined, address: string): Promise<ProposedSecondFactor> {
    const succeeded = await this.#attempts.begin('change-password', account.user, address);
    await checkPassword(account, password);
    await succeeded(account.uuid);
    const secret = new Secret({ size: 20 });
    const sealed = this.#secrets.seal(secret.base32, contextOf(account.uuid));
    if (!(await this.#store.propose(account.uuid, sealed))) throw alreadyEnabled();
    return { secret: secret.base32, uri: generatorOf(secret, account.user).toString() };
  }

  /**
   * Enables the secret that was proposed, if the code proves that the user has it.
   * @returns the recovery codes, this once
   * @throws ParleyError `invalid_code`, or `conflict` when none was proposed or one is enabled
   */
  async enable(account: Account, code: string): Promise<string[]> {
    const factor = await this.#store.byAccount(account.uuid);
    if (factor === null) throw problemError('second_factor_not_begun');
    if (factor.enabled_at !== null) throw alreadyEnabled();
    const step = this.#stepOf(account.uuid, factor.sealed_secret, code);
    if (step === null) throw invalidCode();
    const codes = Array.from({ length: recoveryCodes.count }, newRecoveryCode);
    const hashes = codes.map((one) => fingerprint(normalized(one)));
    if (!(await this.#store.enable(account.uuid, factor.sealed_secret, step, hashes, now()))) throw alreadyEnabled();
    return codes;
  }

  /**
   * @param address of the user, for the limit of attempts, which is the one of signing in
   * @throws ParleyError `invalid_credentials`, `invalid_code`, `too_many_requests`, or `conflict` when none is enabled
   */
  async disable(account: Account, { password, code }: Proof, address: string): Promise<void> {
    const succeeded = await this.#attempts.begin('sign-in', account.user, address);
    await checkPassword(account, password);
    const factor = await this.#enabled(account.uuid);
    if (factor === null) throw problemError('no_second_factor');
    await this.#use(code, account.uuid, factor);
    await succeeded(account.uuid);
    await this.#store.remove(account.uuid);
  }

  /**
   * Verifies the second factor of an account that has one. The code is used up.
   * @throws ParleyError `second_factor_required` or `invalid_code`
   */
  async check(accountUuid: string, code: string | undefined): Promise<void> {
    const factor = await this.#enabled(accountUuid);
    if (factor === null) return;
    if (code === undefined) {
      throw new ParleyError('second_factor_required', 'Enter the code of your authenticator app, or a recovery code');
    }
    await this.#use(code, accountUuid, factor);
  }

  /** The second factor of an account; null when it has none, or one that was only proposed. */
  async #enabled(accountUuid: string): Promise<SecondFactor | null> {
    const factor = await this.#store.byAccount(accountUuid);
    return factor?.enabled_at == null ? null : factor;
  }

  /** @throws ParleyError `invalid_code` */
  async #use(code: string, accountUuid: string, { sealed_secret }: SecondFactor): Promise<void> {
    const step = this.#stepOf(accountUuid, sealed_secret, code);
    const isUsed =
      step === null
        ? await this.#store.useRecoveryCode(accountUuid, fingerprint(normalized(code)))
        : await this.#store.useStep(accountUuid, step);
    if (!isUsed) throw invalidCode();
  }

  /** The time step that a code belongs to; null when it is none of the present ones. */
  #stepOf(accountUuid: string, sealed: string, code: string): number | null {
    const token = code.replaceAll(' ', '');
    if (!/^\d{6}$/.test(token)) return null;
    const secret = Secret.fromBase32(this.#secrets.open(sealed, contextOf(accountUuid)));
    const generator = generatorOf(secret, '');
    const timestamp = present();
    const delta = generator.validate({ token, timestamp, window: tolerance });
    return delta === null ? null : generator.counter({ timestamp }) + delta;
  }
}

/** Six digits per 30 s with SHA-1, supported by every authenticator app. */
function generatorOf(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer, label, secret, algorithm: 'SHA1', digits: 6, period: 30 });
}

function contextOf(accountUuid: string): string {
  return `second-factor/${accountUuid}`;
}

/** `ABCD-EFGH-IJKL-MNOP`: 80 random bits, enough for a plain hash to be safe. */
function newRecoveryCode(): string {
  return (new Secret({ size: recoveryCodes.bytes }).base32.match(/.{4}/g) ?? []).join('-');
}

/** A recovery code however it was typed. */
function normalized(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase();
}

async function checkPassword(account: Account, password: string | undefined): Promise<void> {
  if (account.password_hash === '') return;
  if (password !== undefined && (await verifyPassword(password, account.password_hash))) return;
  throw problemError('wrong_current_password');
}

function invalidCode(): ParleyError {
  return new ParleyError('invalid_code', 'The code is wrong, has expired or was used before');
}

function alreadyEnabled(): ParleyError {
  return problemError('second_factor_exists');
}
