/** How bright a lamp is. */
export type Mode = 'reading' | 'evening' | 'night';

/** Lumens of each mode. */
export const lumens: Record<Mode, number> = { reading: 600, evening: 180, night: 20 };
