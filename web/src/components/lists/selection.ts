/** The selected records of a list; `all`: what matches its filters, on all pages. */
export type Selection<Id> = { kind: 'none' } | { kind: 'some'; ids: ReadonlySet<Id> } | { kind: 'all' };

export const noSelection = { kind: 'none' } as const;
