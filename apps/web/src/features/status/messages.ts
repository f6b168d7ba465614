import { statusRules } from '@uprez/contracts/policy/status';
import { pluralize } from '@uprez/contracts/texts/format';
import { pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { sitePaths } from '@uprez/contracts/texts/site/pages';

const { figureDays, barDays, minUptimeS, noticeS, openAfterS, probeIntervalS } = statusRules;

export const statusMessages = {
  title: pageTitles[sitePaths.status],
  checked: (time: string) => `Last check: ${time}`,
  neverChecked: 'No checks yet.',
  services: 'Services',
  uptime: 'Uptime',
  response: 'Response time',
  none: '-',
  figures: {
    title: `Last ${figureDays} days`,
    uptime: `${figureDays}-day uptime`,
    response: 'Average response time',
    processing: 'Average processing time',
    coverage: (share: string) => `Observed: ${share} of ${figureDays} days`,
  },
  bars: {
    from: `${barDays} days ago`,
    to: 'Today',
    /** `days`: how many days were observed, and how many had an outage. */
    label: (name: string, days: { observed: number; outage: number }) =>
      days.observed === 0
        ? `${name}: no checks in the last ${barDays} days`
        : `${name}: outages on ${days.outage} of ${pluralize(days.observed, 'observed day')}`,
    noData: 'No data',
    outage: (time: string) => `${time} of outage`,
    degraded: (time: string) => `${time} degraded`,
    maintenance: (time: string) => `${time} of maintenance`,
    unknown: (time: string) => `${time} unknown`,
    none: 'No outage',
    legend: { up: 'No outage', degraded: 'Degraded', down: 'Outage', maintenance: 'Maintenance', unknown: 'No data' },
  },
  noIncidents: `No past incidents in the last ${barDays} days. Outages of less than ${openAfterS / 60} minutes appear only in the bars above.`,
  affected: 'Affected services',
  period: (start: string, end: string | null) => (end === null ? `Since ${start}` : `${start} to ${end}`),
  back: 'Status',
  updates: 'Updates',
  formula: {
    title: 'How uptime is calculated',
    sentences: [
      `Each service is checked every ${probeIntervalS} seconds. A failed check is repeated twice before it counts.`,
      'Uptime is the time that a service was up, divided by the time that it was up or down. Degraded time counts as up.',
      `Uptime is shown once ${minUptimeS / 3_600} hours of checks are complete.`,
      `Maintenance announced at least ${noticeS / 3_600} hours ahead, and times without checks, are left out. The share of observed time shows how much is covered.`,
    ],
  },
  formats: { title: 'Other formats', json: 'JSON', feed: 'RSS feed', badge: 'Badge' },
} as const;
