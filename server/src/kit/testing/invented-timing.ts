/** Times of the invented platform in which a test need not wait, also on a slow machine. Milliseconds. */
export const inventedTiming = {
  call: 2500,
  firstPause: 5,
  longestPause: 20,
  heartbeat: 100,
  stream: 400,
  pull: 2000,
  login: 5,
};
