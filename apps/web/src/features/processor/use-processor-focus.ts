import { useEffect, useRef } from 'react';
import { revealElement } from '../../lib/layout/reveal-element.ts';
import { type ProcessorState, useProcessor } from './processor-store.ts';

const isChosen = (now: ProcessorState, before: ProcessorState) =>
  now.image !== undefined && now.image !== before.image && !before.restoring;

/** Whether an image was chosen or a file was rejected. Restored images do not scroll the page. */
const isNews = (now: ProcessorState, before: ProcessorState) =>
  isChosen(now, before) || (now.rejections.length > 0 && now.rejections !== before.rejections);

const isOtherView = (now: ProcessorState, before: ProcessorState) =>
  !before.restoring && (now.run.phase !== before.run.phase || !now.image !== !before.image);

/**
 * The container of the processor: scrolled into view after a choice, and focused when the focused element was removed.
 */
export function useProcessorFocus() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      useProcessor.subscribe((now, before) => {
        // Waits until the new content is rendered.
        requestAnimationFrame(() => {
          if (isNews(now, before)) revealElement(place.current);
          const isLost = document.activeElement === document.body;
          // After a paste, the focus may be anywhere.
          const isElsewhere = isChosen(now, before) && !place.current?.contains(document.activeElement);
          if ((isOtherView(now, before) && isLost) || isElsewhere) place.current?.focus({ preventScroll: true });
        });
      }),
    [],
  );
  return place;
}
