import { formatTime } from '../../../lib/format/format.ts';

const day = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'short', day: 'numeric', timeZone: 'UTC' });
const dayMs = 86_400_000;

/**
 * Formats when a reply is due. Midnight (UTC) is shown as the end of the previous day: `End of Monday, Nov 30 (UTC)`.
 */
export function formatDue(dueAt: string): string {
  const ms = Date.parse(dueAt);
  return ms % dayMs === 0 ? `End of ${day.format(ms - 1)} (UTC)` : formatTime(dueAt);
}
