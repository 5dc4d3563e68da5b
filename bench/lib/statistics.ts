/** The middle value; of an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('there is no median of nothing');
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  // The list is not empty.
  const upper = sorted[middle] as number;
  // An even number of values is two or more.
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/**
 * The least value that is not exceeded by a share of the values.
 * @param share from 0 to 1: 0.99 for the 99th percentile
 */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('there is no percentile of nothing');
  const sorted = values.toSorted((left, right) => left - right);
  // The list is not empty.
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] as number;
}

/** Rise of a straight line through points, by least squares: units of `y` for each unit of `x`. */
export function slope(points: readonly { x: number; y: number }[]): number {
  if (points.length < 2) throw new RangeError('there is no line through less than two points');
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  const covariance = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  const variance = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return covariance / variance;
}

export function round(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}
