import { useEffect, useRef } from 'react';
import { comeIntoView } from '../../lib/come-into-view.ts';
import { useProcessor } from './processor-store.ts';

/**
 * The place of work comes into view when a picture was chosen or a file refused, which may happen anywhere on a long
 * page. What a reload brings back leaves the reader where he was.
 */
export function useComeIntoView() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      useProcessor.subscribe((now, before) => {
        const isChosen = now.picture && now.picture !== before.picture && !before.restoring;
        const isRefused = now.rejections.length > 0 && now.rejections !== before.rejections;
        // The page has its new shape by the next frame.
        if (isChosen || isRefused) requestAnimationFrame(() => comeIntoView(place.current));
      }),
    [],
  );
  return place;
}
