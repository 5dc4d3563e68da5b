import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Within this distance of the end, in pixels, the box counts as scrolled to the end. */
const nearness = 48;

/**
 * Keeps a scroll box at its end while its content grows, until the user scrolls up.
 * @returns whether it follows the end, and a function that scrolls there to follow again
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
      // Growth never scrolls up, so scrolling up is the user's action.
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
