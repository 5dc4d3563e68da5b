/** Times of the invented platform in which a test need not wait, milliseconds. */
export const inventedTiming = {
  call: 300,
  firstPause: 5,
  longestPause: 20,
  heartbeat: 20,
  stream: 300,
  pull: 500,
};
