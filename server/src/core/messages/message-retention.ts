/** Forgets what is old. */
export interface MessageRetention {
  /**
   * Removes messages that ended and came before a moment, with their answers and everything that is known of them; then
   * conversations from before it that are over and of which nothing is left. What waits or is worked on stays, however
   * old it is.
   * @param moment ISO 8601 UTC
   * @param limit messages and conversations at most, not counting answers
   * @returns how many of them were removed
   */
  removeBefore(moment: string, limit: number): Promise<number>;
}
