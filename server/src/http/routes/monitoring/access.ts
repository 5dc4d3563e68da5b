/** What every route of monitoring asks of its caller. */
export const reads = { access: { credential: 'either', scope: 'read', role: 'member' } } as const;
