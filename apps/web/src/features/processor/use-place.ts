import { useEffect, useRef } from 'react';
import { comeIntoView } from '../../lib/layout/come-into-view.ts';
import { type ProcessorState, useProcessor } from './processor-store.ts';

const isChosen = (now: ProcessorState, before: ProcessorState) =>
  now.image !== undefined && now.image !== before.image && !before.restoring;

/** An image chosen, or a file refused, perhaps far down the page. What a reload brings back leaves the reader there. */
const isNews = (now: ProcessorState, before: ProcessorState) =>
  isChosen(now, before) || (now.rejections.length > 0 && now.rejections !== before.rejections);

const isOtherView = (now: ProcessorState, before: ProcessorState) =>
  !before.restoring && (now.run.phase !== before.run.phase || !now.image !== !before.image);

/** The place of work: comes into view when there is news, and takes the focus of what went with the view before. */
export function usePlace() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      useProcessor.subscribe((now, before) => {
        // The page has its new shape by the next frame.
        requestAnimationFrame(() => {
          if (isNews(now, before)) comeIntoView(place.current);
          const isLost = document.activeElement === document.body;
          // An image that was pasted may find the focus anywhere.
          const isElsewhere = isChosen(now, before) && !place.current?.contains(document.activeElement);
          if ((isOtherView(now, before) && isLost) || isElsewhere) place.current?.focus({ preventScroll: true });
        });
      }),
    [],
  );
  return place;
}
