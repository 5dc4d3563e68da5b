/** Numbers in [0, 1) that are the same in each run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A few bytes changed, removed or repeated. */
export function mutated(sample: Uint8Array, random: () => number): Uint8Array {
  const bytes = [...sample];
  const place = () => Math.floor(random() * bytes.length);
  for (let times = 1 + Math.floor(random() * 4); times > 0; times -= 1) {
    const how = Math.floor(random() * 3);
    if (how === 0) bytes[place()] = Math.floor(random() * 256);
    if (how === 1) bytes.splice(place(), Math.floor(random() * 8));
    if (how === 2) bytes.splice(place(), 0, ...bytes.slice(place(), place() + 8));
  }
  return Uint8Array.from(bytes);
}
