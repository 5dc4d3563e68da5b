/** Access of all monitoring routes. */
export const reads = { access: { credential: 'either', scope: 'read', role: 'member' } } as const;
