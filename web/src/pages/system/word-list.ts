/** The lines of a text as words. */
export function wordsOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** Errors of the server for single words. */
export function wordFaults(text: string, faults: readonly { path: string; message: string }[]): string[] {
  const words = wordsOf(text);
  return faults.flatMap(({ path, message }) => {
    const [, index] = /^words(?:\[|\.|\/)(\d+)/.exec(path) ?? [];
    return index === undefined ? [] : [`${words[Number(index)] ?? path}: ${message}`];
  });
}
