/** The second factor of an account. */
export interface SecondFactor {
  /** Encrypted; base32. */
  sealed_secret: string;
  /** ISO 8601 UTC; null until a first code proved that the user has the secret. */
  enabled_at: string | null;
  /** That were not used yet. */
  recovery_codes_left: number;
}

export interface SecondFactorStore {
  byAccount(accountUuid: string): Promise<SecondFactor | null>;
  /** Stores a secret that is not enabled yet, in place of an earlier one; false when one is enabled. */
  propose(accountUuid: string, sealedSecret: string): Promise<boolean>;
  /**
   * Enables the secret, with recovery codes.
   * @param step of the code that proved it
   * @param codeHashes SHA-256 of the recovery codes
   * @returns false when it was replaced, enabled or removed in the meantime
   */
  enable(accountUuid: string, sealedSecret: string, step: number, codeHashes: string[], at: string): Promise<boolean>;
  /** Notes the time step of a code; false when a code of this or a later step was used before. */
  useStep(accountUuid: string, step: number): Promise<boolean>;
  /** Removes a recovery code; false when there is none with this hash. */
  useRecoveryCode(accountUuid: string, codeHash: string): Promise<boolean>;
  /** False when none was enabled. */
  remove(accountUuid: string): Promise<boolean>;
}
