import { type RefObject, useEffect, useRef, useState } from 'react';

/** Whether an element has been on the screen, or near it: of a long list, only what is seen loads more. */
export function useSeen(): [place: RefObject<HTMLDivElement | null>, isSeen: boolean] {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || place.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: '200px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return [place, isSeen];
}
