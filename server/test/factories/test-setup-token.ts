/** The set-up token of every service that tests start, unless a test wants another. */
export const testSetupToken = 'set-up-token-of-the-tests';
