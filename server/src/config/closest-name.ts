/** The candidate that `name` is most likely a misspelling of, or undefined when none is near. */
export function closestName(name: string, candidates: readonly string[]): string | undefined {
  let closest: string | undefined;
  // One edit per four letters: more would suggest unrelated settings.
  let limit = Math.max(1, Math.floor(name.length / 4)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name, candidate);
    if (distance < limit) {
      closest = candidate;
      limit = distance;
    }
  }
  return closest;
}

/** Insertions, deletions, substitutions and transpositions that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        best = Math.min(best, (beforePrevious[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}
