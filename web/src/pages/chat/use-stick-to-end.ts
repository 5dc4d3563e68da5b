import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Within this distance of the end, in pixels, the reader is taken to be there. */
const nearness = 48;

/**
 * Keeps a scrolling box at its end while its content grows, and lets go as soon as the reader scrolls up.
 * @returns whether it follows at present, and a function that takes it to the end to follow again
 */
export function useStickToEnd(box: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const [follows, setFollows] = useState(true);
  const following = useRef(true);

  const goToEnd = useCallback(() => {
    following.current = true;
    setFollows(true);
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [box]);

  useEffect(() => {
    const scrolled = box.current;
    const grown = content.current;
    if (scrolled === null || grown === null) return;
    let top = scrolled.scrollTop;
    const onScroll = () => {
      const atEnd = scrolled.scrollHeight - scrolled.clientHeight - scrolled.scrollTop < nearness;
      // Growth alone never moves up, so moving up is the reader's doing.
      if (atEnd) following.current = true;
      else if (scrolled.scrollTop < top) following.current = false;
      top = scrolled.scrollTop;
      setFollows(following.current);
    };
    const observer = new ResizeObserver(() => {
      if (following.current) scrolled.scrollTop = scrolled.scrollHeight;
      else onScroll();
    });
    scrolled.addEventListener('scroll', onScroll, { passive: true });
    observer.observe(grown);
    observer.observe(scrolled);
    return () => {
      scrolled.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [box, content]);

  return { follows, goToEnd };
}
