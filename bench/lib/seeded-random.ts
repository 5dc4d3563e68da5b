/** Gives numbers from 0 up to 1. */
export type Random = () => number;

/** The same numbers for the same seed: xorshift, which is all that made-up data needs. */
export function seeded(seed: number): Random {
  let state = (seed * 2_654_435_761 + 1_013_904_223) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4_294_967_296;
  };
}
