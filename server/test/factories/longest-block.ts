/** Measures the longest block of the event loop of this process. */
export interface BlockWatch {
  /** Ends it. @returns the longest time between two turns, milliseconds */
  end(): number;
}

/** How often the clock is looked at, milliseconds. */
const interval = 5;

export function watchBlocks(): BlockWatch {
  let last = performance.now();
  let longest = 0;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last - interval);
    last = now;
  };
  const timer = setInterval(look, interval);
  return {
    end: () => {
      look();
      clearInterval(timer);
      return longest;
    },
  };
}
