import { AppError } from '@uprez/contracts/errors/app-error';
import { type ServiceState, statusRules } from '@uprez/contracts/policy/status';
import type { Incident, IncidentUpdate, ServiceStatus, Status } from '@uprez/contracts/schemas/status';
import { pageDescriptions } from '@uprez/contracts/texts/site/page-descriptions';
import { pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { incidentPage, incidentPath, sitePaths, statusFiles } from '@uprez/contracts/texts/site/pages';
import {
  formatCoverage,
  formatUptime,
  incidentListNames,
  incidentStateNames,
  overallTexts,
  separateIncidents,
  serviceNames,
  serviceStateNames,
} from '@uprez/contracts/texts/status';
import { getIncident, getStatus } from '@uprez/domain/status/page/get-status';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import { defineHandlers } from '../../http/contract.ts';
import { pathOf } from '../../http/web/open-pages.ts';
import {
  escapeHtml,
  type FoundPage,
  link,
  missingPage,
  type PageDocument,
  type PageSettings,
  pageTag,
  patternOf,
  servedMain,
  siteUrlOf,
} from '../../http/web/page-document.ts';
import { openTextSender, type Text } from '../../http/web/send-text.ts';
import { element, emptyElement, textElement, xmlDocument } from '../blog/xml.ts';

/** Embedded badges and feed readers show changes after at most a minute. */
const sharedCacheControl = 'public, max-age=60';

/**
 * Handlers for the status of the services as JSON, RSS, and an image, and for incidents. Anyone can read them, even
 * during maintenance.
 */
export const statusHandlers = (deps: Deps) => {
  const sendText = openTextSender();
  const send = (reply: FastifyReply, cacheControl: string, text: Text) =>
    sendText(
      reply.headers({
        'cache-control': cacheControl,
        // Lets pages on other sites read the status, too.
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      }),
      text,
    );
  return defineHandlers({
    getStatus: async (_request, reply) =>
      send(reply as FastifyReply, 'public, no-cache', {
        type: 'application/json',
        text: JSON.stringify(await getStatus(deps)),
      }),
    statusFeed: async (_request, reply) => {
      const site = await deps.settings.read('site');
      const urlOf = (path: string) => siteUrlOf({ site }, path);
      const text = makeStatusFeed({ siteName: site.siteName, status: await getStatus(deps), urlOf });
      return send(reply as FastifyReply, sharedCacheControl, { type: 'application/rss+xml', text });
    },
    statusBadge: async (_request, reply) =>
      send(reply as FastifyReply, sharedCacheControl, {
        type: 'image/svg+xml',
        text: makeBadge((await getStatus(deps)).state),
      }),
    getIncident: async (request) => getIncident(deps, request.params.id),
  });
};

/** Background colors. White text on them has a contrast of at least 4.5. */
const colors: Record<ServiceState, string> = {
  operational: '#1a7f37',
  degraded: '#9a6700',
  outage: '#c0262d',
  maintenance: '#0b63c5',
  unknown: '#5f6672',
  unconfigured: '#5f6672',
};
const label = 'Status';
const height = 20;
/**
 * Approximate width of a character at a font size of 11 pixels, in pixels. `textLength` fits the text to the resulting
 * width in any font.
 */
const characterWidth = 6.4;
const padding = 8;

function makeBadge(state: ServiceState): string {
  const text = overallTexts[state];
  const [left, right] = [label, text].map((part) => Math.round(part.length * characterWidth)) as [number, number];
  const [leftWidth, rightWidth] = [left + 2 * padding, right + 2 * padding];
  const write = (part: string, x: number, length: number) =>
    `<text x="${x}" y="14" textLength="${length}">${escapeHtml(part)}</text>`;
  const title = escapeHtml(`${label}: ${text}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${leftWidth + rightWidth}" height="${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<rect width="${leftWidth + rightWidth}" height="${height}" rx="3" fill="#3b3f46"/>`,
    `<path d="M${leftWidth} 0h${rightWidth - 3}a3 3 0 0 1 3 3v${height - 6}a3 3 0 0 1-3 3h-${rightWidth - 3}z" fill="${colors[state]}"/>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    write(label, padding, left),
    write(text, leftWidth + padding, right),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

type FeedInput = {
  siteName: string;
  status: Pick<Status, 'incidents' | 'maintenance'>;
  urlOf: (path: string) => string;
};

/** Makes an RSS 2.0 feed with an item for each update of an incident or maintenance. */
function makeStatusFeed({ siteName, status, urlOf }: FeedInput): string {
  const updates = [...status.maintenance, ...status.incidents]
    .flatMap((incident) => incident.updates.map((update) => ({ incident, update })))
    .toSorted((a, b) => b.update.at.localeCompare(a.update.at));
  const channel = element('channel', [
    textElement('title', `${siteName} ${pageTitles[sitePaths.status]}`),
    textElement('link', urlOf(sitePaths.status)),
    textElement('description', pageDescriptions[sitePaths.status]),
    textElement('language', 'en-us'),
    emptyElement('atom:link', { rel: 'self', type: 'application/rss+xml', href: urlOf(statusFiles.feed) }),
    ...updates.map((one) => makeItem(one, urlOf)),
  ]);
  return xmlDocument(element('rss', [channel], { version: '2.0', 'xmlns:atom': 'http://www.w3.org/2005/Atom' }));
}

type Item = { incident: Incident; update: IncidentUpdate };

const makeItem = ({ incident, update }: Item, urlOf: FeedInput['urlOf']) =>
  element('item', [
    textElement('title', `${incidentStateNames[update.state]}: ${incident.title}`),
    textElement('link', urlOf(incidentPath(incident.id))),
    textElement('guid', `urn:uuid:${update.id}`, { isPermaLink: 'false' }),
    textElement('pubDate', new Date(update.at).toUTCString()),
    ...incident.services.map((service) => textElement('category', serviceNames[service])),
    textElement('description', update.text),
  ]);

const title = pageTitles[sitePaths.status];
const crumb = { name: title, path: sitePaths.status };

const feedTag = (settings: PageSettings) => {
  const href = escapeHtml(siteUrlOf(settings, statusFiles.feed));
  const name = escapeHtml(`${settings.site.siteName} ${title}`);
  return `<link rel="alternate" type="application/rss+xml" title="${name}" href="${href}" ${pageTag} />`;
};

const incidentPattern = patternOf(incidentPage);

export async function findStatusPage(deps: Pick<Deps, 'db'>, url: string): Promise<FoundPage | undefined> {
  const path = pathOf(url);
  if (path === sitePaths.status) return { page: await findStatusDocument(deps) };
  const incident = incidentPattern.exec(path)?.[1];
  return incident ? { page: await findIncidentDocument(deps, incident) } : undefined;
}

const findStatusDocument = async (deps: Pick<Deps, 'db'>): Promise<PageDocument> => ({
  head: { title, description: pageDescriptions[sitePaths.status] },
  canonical: sitePaths.status,
  crumbs: [crumb],
  tags: (settings) => [feedTag(settings)],
  body: statusBody(await getStatus(deps)),
});

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

const minuteFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const renderTime = (at: string) => `<time datetime="${escapeHtml(at)}">${minuteFormat.format(new Date(at))} UTC</time>`;

const { figureDays } = statusRules;

const renderService = ({ name, state, uptime }: ServiceStatus) => {
  const share = uptime === null ? '' : `, ${formatUptime(uptime)} uptime in ${figureDays} days`;
  return `<li>${escapeHtml(name)}: ${serviceStateNames[state]}${share}</li>`;
};

const incidentItem = (incident: Incident) =>
  `<li>${link(incidentPath(incident.id), incident.title)}: ${incidentStateNames[incident.state]}, ${renderTime(incident.startsAt)}</li>`;

const list = (title: string, incidents: readonly Incident[]) =>
  incidents.length > 0 ? `<h2>${title}</h2>\n<ul>\n${incidents.map(incidentItem).join('\n')}\n</ul>` : '';

const facts = ({ checkedAt, coverage }: Pick<Status, 'checkedAt' | 'coverage'>) => [
  checkedAt === null ? '' : `<p>Last check: ${renderTime(checkedAt)}</p>`,
  coverage === null ? '' : `<p>Checks cover ${formatCoverage(coverage)} of the last ${figureDays} days.</p>`,
];

function statusBody({ description, services, incidents, maintenance, ...measured }: Status): string {
  const [active, past] = separateIncidents(incidents);
  return servedMain([
    `<nav>${link(sitePaths.home, 'Home')}</nav>`,
    '<h1>Status</h1>',
    `<p>${escapeHtml(description)}</p>`,
    ...facts(measured),
    list(incidentListNames.active, active),
    list(incidentListNames.maintenance, maintenance),
    `<ul>\n${services.map(renderService).join('\n')}\n</ul>`,
    list(incidentListNames.past, past),
  ]);
}

const incidentBody = ({ title, state, services, updates }: Incident): string =>
  servedMain([
    `<nav>${link(sitePaths.home, 'Home')} ${link(sitePaths.status, 'Status')}</nav>`,
    `<h1>${escapeHtml(title)}</h1>`,
    `<p>${incidentStateNames[state]}. ${services.map((one) => escapeHtml(serviceNames[one])).join(', ')}</p>`,
    ...updates.map(
      (update) =>
        `<article>\n<h2>${incidentStateNames[update.state]}</h2>\n<p>${renderTime(update.at)}</p>\n<p>${escapeHtml(update.text)}</p>\n</article>`,
    ),
  ]);
