/*
 * Signs of vectors: one bit for each number, set where it is above the collection's centre. Vectors that point into the
 * same direction differ in few bits, and comparing bits is quick, so that only the nearest few of a large collection
 * have to be compared exactly.
 *
 * The extension's own table for bits was measured first: its time grows with the number of candidates (100 000 vectors
 * of 768 numbers: 12 ms for 100, 60 ms for 500, 155 ms for 1000; this here takes 5 ms for any number), and it takes
 * only lists of rows as a filter.
 */

// Indexes are below the lengths: with `as number`, reads of arrays cost no check.

/** 32-bit words per code: a multiple of three, since three words are counted at once. */
export function wordsFor(dimensions: number): number {
  return Math.ceil(dimensions / 96) * 3;
}

/** Writes the code of a vector. */
export function writeSignCode(vector: Float32Array, centre: Float32Array, codes: Int32Array, offset: number): void {
  codes.fill(0, offset, offset + wordsFor(vector.length));
  for (let index = 0; index < vector.length; index++) {
    if ((vector[index] as number) > (centre[index] as number)) {
      const word = offset + (index >>> 5);
      codes[word] = (codes[word] as number) | (1 << (index & 31));
    }
  }
}

/**
 * Hamming distances between codes and one code.
 * @param codes each with as many words as `wanted`
 * @param distances receives the result for each
 */
export function countDifferences(codes: Int32Array, wanted: Int32Array, count: number, distances: Uint16Array): void {
  const words = wanted.length;
  let offset = 0;
  for (let index = 0; index < count; index++) {
    let sum = 0;
    for (let word = 0; word < words; word += 3) {
      const one = (codes[offset] as number) ^ (wanted[word] as number);
      const two = (codes[offset + 1] as number) ^ (wanted[word + 1] as number);
      const three = (codes[offset + 2] as number) ^ (wanted[word + 2] as number);
      offset += 3;
      // Adds the three words bit by bit: sums of ones, and of twos.
      const either = one ^ two;
      let ones = either ^ three;
      let twos = (one & two) | (either & three);
      ones = (ones - ((ones >>> 1) & 0x55555555)) | 0;
      ones = ((ones & 0x33333333) + ((ones >>> 2) & 0x33333333)) | 0;
      ones = ((ones & 0x0f0f0f0f) + ((ones >>> 4) & 0x0f0f0f0f)) | 0;
      twos = (twos - ((twos >>> 1) & 0x55555555)) | 0;
      twos = ((twos & 0x33333333) + ((twos >>> 2) & 0x33333333)) | 0;
      twos = ((twos & 0x0f0f0f0f) + ((twos >>> 4) & 0x0f0f0f0f)) | 0;
      sum += Math.imul((ones + twos + twos) | 0, 0x01010101) >>> 24;
    }
    distances[index] = sum;
  }
}
