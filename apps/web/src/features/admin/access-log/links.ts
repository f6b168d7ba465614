import type { Anomaly } from '@uprez/contracts/schemas/admin/access-log';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';

type Filter = Record<string, string | null>;

/** Returns the path of the access log with filters, such as for an account, IP address, or API key. */
export const eventsOf = (filter: Filter): string =>
  `${adminPages.accessLog}?${new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== null) as [string, string][])}`;

/** Returns the path of the access log with the events that an anomaly is about. */
export function eventsOfAnomaly({ rule, day, keyId, userId, address }: Anomaly): string {
  if (keyId) return eventsOf({ key: keyId });
  const days = { from: day, to: day };
  return rule === 'failures' && userId === null ? eventsOf({ address, ...days }) : eventsOf({ user: userId, ...days });
}
