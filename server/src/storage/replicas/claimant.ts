/** This process as others know it who work on the same rows. */
export interface Claimant {
  /** Names this start of the service, a uuid; a new one once others have taken its work over. Read it for each use. */
  readonly id: string;
}
