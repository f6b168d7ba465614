import { statusRules } from '@uprez/contracts/policy/status';
import type { Incident, ServiceStatus, Status } from '@uprez/contracts/schemas/status';
import { incidentPath, sitePaths } from '@uprez/contracts/texts/pages';
import {
  formatCoverage,
  formatUptime,
  incidentListNames,
  incidentStateNames,
  separateIncidents,
  serviceNames,
  serviceStateNames,
} from '@uprez/contracts/texts/status';
import { escapeHtml } from '../../http/web/escape-html.ts';
import { link, servedMain } from '../../http/web/served-body.ts';

const minute = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const time = (at: string) => `<time datetime="${escapeHtml(at)}">${minute.format(new Date(at))} UTC</time>`;

const { figureDays } = statusRules;

const service = ({ name, state, uptime }: ServiceStatus) => {
  const share = uptime === null ? '' : `, ${formatUptime(uptime)} uptime in ${figureDays} days`;
  return `<li>${escapeHtml(name)}: ${serviceStateNames[state]}${share}</li>`;
};

const incidentItem = (incident: Incident) =>
  `<li>${link(incidentPath(incident.id), incident.title)}: ${incidentStateNames[incident.state]}, ${time(incident.startsAt)}</li>`;

const list = (title: string, incidents: readonly Incident[]) =>
  incidents.length > 0 ? `<h2>${title}</h2>\n<ul>\n${incidents.map(incidentItem).join('\n')}\n</ul>` : '';

const facts = ({ checkedAt, coverage }: Pick<Status, 'checkedAt' | 'coverage'>) => [
  checkedAt === null ? '' : `<p>Last check: ${time(checkedAt)}</p>`,
  coverage === null ? '' : `<p>Checks cover ${formatCoverage(coverage)} of the last ${figureDays} days.</p>`,
];

/** The state of the services, and the latest incidents. */
export function statusBody({ description, services, incidents, maintenance, ...measured }: Status): string {
  const [active, past] = separateIncidents(incidents);
  return servedMain([
    `<nav>${link(sitePaths.home, 'Home')}</nav>`,
    '<h1>Status</h1>',
    `<p>${escapeHtml(description)}</p>`,
    ...facts(measured),
    list(incidentListNames.active, active),
    list(incidentListNames.maintenance, maintenance),
    `<ul>\n${services.map(service).join('\n')}\n</ul>`,
    list(incidentListNames.past, past),
  ]);
}

/** An incident with its updates. */
export const incidentBody = ({ title, state, services, updates }: Incident): string =>
  servedMain([
    `<nav>${link(sitePaths.home, 'Home')} ${link(sitePaths.status, 'Status')}</nav>`,
    `<h1>${escapeHtml(title)}</h1>`,
    `<p>${incidentStateNames[state]}. ${services.map((one) => escapeHtml(serviceNames[one])).join(', ')}</p>`,
    ...updates.map(
      (update) =>
        `<article>\n<h2>${incidentStateNames[update.state]}</h2>\n<p>${time(update.at)}</p>\n<p>${escapeHtml(update.text)}</p>\n</article>`,
    ),
  ]);
