/** Errors that the console words itself; all others are in `reasons`. */
export const errors = {
  unknown: 'Something went wrong. Please try again.',
  unreachable: "Can't reach the server. Check your connection and try again.",
  in_use: "In use, so it can't be deleted:",
};
