import { useAnnouncement } from '../../lib/notifications/announce.ts';

/** The polite live region. Two elements alternate, so that a repeated text is announced again. */
export function LiveRegion() {
  const { text, turn } = useAnnouncement();
  return (
    <div role="status" aria-live="polite" className="sr-only">
      <p>{turn % 2 === 0 && text}</p>
      <p>{turn % 2 === 1 && text}</p>
    </div>
  );
}
