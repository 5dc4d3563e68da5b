/** The words of a text with one in each line. */
export function wordsOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** What the server said of single words, each with the word it is about. */
export function wordFaults(text: string, faults: readonly { path: string; message: string }[]): string[] {
  const words = wordsOf(text);
  return faults.flatMap(({ path, message }) => {
    const [, index] = /^words(?:\[|\.|\/)(\d+)/.exec(path) ?? [];
    return index === undefined ? [] : [`${words[Number(index)] ?? path}: ${message}`];
  });
}
