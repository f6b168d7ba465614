import { AppError } from '@uprez/contracts/errors/app-error';
import { statusRules } from '@uprez/contracts/policy/status';
import type { Incident, ServiceStatus, Status } from '@uprez/contracts/schemas/status';
import { pageDescriptions } from '@uprez/contracts/texts/site/page-descriptions';
import { pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { incidentPage, incidentPath, sitePaths, statusFiles } from '@uprez/contracts/texts/site/pages';
import {
  formatCoverage,
  formatUptime,
  incidentListNames,
  incidentStateNames,
  separateIncidents,
  serviceNames,
  serviceStateNames,
} from '@uprez/contracts/texts/status';
import { getIncident, getStatus } from '@uprez/domain/status/page/get-status';
import type { Deps } from '../../deps.ts';
import { escapeHtml, link, pageTag, servedMain } from '../../http/web/escape-html.ts';
import { pathOf } from '../../http/web/open-pages.ts';
import {
  type FoundPage,
  missingPage,
  type PageDocument,
  type PageSettings,
  patternOf,
} from '../../http/web/page-document.ts';
import { siteUrlOf } from '../../http/web/page-head.ts';

const title = pageTitles[sitePaths.status];
const crumb = { name: title, path: sitePaths.status };

const feedTag = (settings: PageSettings) => {
  const href = escapeHtml(siteUrlOf(settings, statusFiles.feed));
  const name = escapeHtml(`${settings.site.siteName} ${title}`);
  return `<link rel="alternate" type="application/rss+xml" title="${name}" href="${href}" ${pageTag} />`;
};

const incidentPattern = patternOf(incidentPage);

/** Finds the status page or the page of an incident. Returns undefined for other URLs. */
export async function findStatusPage(deps: Pick<Deps, 'db'>, url: string): Promise<FoundPage | undefined> {
  const path = pathOf(url);
  if (path === sitePaths.status) return { page: await findStatusDocument(deps) };
  const incident = incidentPattern.exec(path)?.[1];
  return incident ? { page: await findIncidentDocument(deps, incident) } : undefined;
}

/** Returns the document of the status page. */
const findStatusDocument = async (deps: Pick<Deps, 'db'>): Promise<PageDocument> => ({
  head: { title, description: pageDescriptions[sitePaths.status] },
  canonical: sitePaths.status,
  crumbs: [crumb],
  tags: (settings) => [feedTag(settings)],
  body: statusBody(await getStatus(deps)),
});

/** Returns the document of an incident, or the missing page if no incident has this ID. */
async function findIncidentDocument(deps: Pick<Deps, 'db'>, id: string): Promise<PageDocument> {
  try {
    const incident = await getIncident(deps, id);
    const path = incidentPath(incident.id);
    return {
      head: { title: incident.title, description: incident.updates[0]?.text.slice(0, 300) },
      canonical: path,
      crumbs: [crumb, { name: incident.title, path }],
      tags: (settings) => [feedTag(settings)],
      body: incidentBody(incident),
    };
  } catch (error) {
    if (error instanceof AppError && error.code === 'incident_not_found') return missingPage;
    throw error;
  }
}

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

/** Renders the state of the services and the latest incidents. */
function statusBody({ description, services, incidents, maintenance, ...measured }: Status): string {
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

/** Renders an incident with its updates. */
const incidentBody = ({ title, state, services, updates }: Incident): string =>
  servedMain([
    `<nav>${link(sitePaths.home, 'Home')} ${link(sitePaths.status, 'Status')}</nav>`,
    `<h1>${escapeHtml(title)}</h1>`,
    `<p>${incidentStateNames[state]}. ${services.map((one) => escapeHtml(serviceNames[one])).join(', ')}</p>`,
    ...updates.map(
      (update) =>
        `<article>\n<h2>${incidentStateNames[update.state]}</h2>\n<p>${time(update.at)}</p>\n<p>${escapeHtml(update.text)}</p>\n</article>`,
    ),
  ]);
