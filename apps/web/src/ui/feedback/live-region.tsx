import { useAnnouncement } from '../../lib/notifications/announce.ts';

/** The one polite live region. Two places take turns: a text that is said again is a change too. */
export function LiveRegion() {
  const { text, turn } = useAnnouncement();
  return (
    <div role="status" aria-live="polite" className="sr-only">
      <p>{turn % 2 === 0 && text}</p>
      <p>{turn % 2 === 1 && text}</p>
    </div>
  );
}
