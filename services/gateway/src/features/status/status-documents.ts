import { AppError } from '@uprez/contracts/errors/app-error';
import { pageDescriptions } from '@uprez/contracts/texts/page-descriptions';
import { pageTitles } from '@uprez/contracts/texts/page-titles';
import { incidentPage, incidentPath, sitePaths, statusFiles } from '@uprez/contracts/texts/pages';
import { getIncident } from '@uprez/domain/status/page/get-incident';
import { getStatus } from '@uprez/domain/status/page/get-status';
import type { Deps } from '../../deps.ts';
import { escapeHtml, pageTag } from '../../http/web/escape-html.ts';
import { pathOf } from '../../http/web/open-pages.ts';
import {
  type FoundPage,
  missingPage,
  type PageDocument,
  type PageSettings,
  patternOf,
} from '../../http/web/page-document.ts';
import { siteUrlOf } from '../../http/web/page-head.ts';
import { incidentBody, statusBody } from './status-bodies.ts';

const title = pageTitles[sitePaths.status];
const crumb = { name: title, path: sitePaths.status };

const feedTag = (settings: PageSettings) => {
  const href = escapeHtml(siteUrlOf(settings, statusFiles.feed));
  const name = escapeHtml(`${settings.site.siteName} ${title}`);
  return `<link rel="alternate" type="application/rss+xml" title="${name}" href="${href}" ${pageTag} />`;
};

const incidentPattern = patternOf(incidentPage);

/** Finds the status page and those of incidents. Undefined for other URLs. */
export async function findStatusPage(deps: Pick<Deps, 'db'>, url: string): Promise<FoundPage | undefined> {
  const path = pathOf(url);
  if (path === sitePaths.status) return { page: await findStatusDocument(deps) };
  const incident = incidentPattern.exec(path)?.[1];
  return incident ? { page: await findIncidentDocument(deps, incident) } : undefined;
}

/** The document of the status page. */
const findStatusDocument = async (deps: Pick<Deps, 'db'>): Promise<PageDocument> => ({
  head: { title, description: pageDescriptions[sitePaths.status] },
  canonical: sitePaths.status,
  crumbs: [crumb],
  tags: (settings) => [feedTag(settings)],
  body: statusBody(await getStatus(deps)),
});

/** The document of an incident; that of a missing page if there is none with this ID. */
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
