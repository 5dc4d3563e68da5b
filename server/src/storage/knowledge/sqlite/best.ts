// Indexes are below the lengths: with `as number`, reads of arrays cost no check.

/** The places of the highest values, the highest first; of equals, the first. Quicker than sorting all of them. */
export function highest(values: Float64Array, count: number): number[] {
  if (count <= 0) return [];
  let least = Number.NEGATIVE_INFINITY;
  if (values.length > count) least = values.toSorted()[values.length - count] as number;
  const places: number[] = [];
  for (let place = 0; place < values.length; place++) if ((values[place] as number) >= least) places.push(place);
  return places
    .sort((one, other) => (values[other] as number) - (values[one] as number) || one - other)
    .slice(0, count);
}
