import type { Incident, IncidentUpdate, Status } from '@uprez/contracts/schemas/status';
import { pageDescriptions } from '@uprez/contracts/texts/page-descriptions';
import { pageTitles } from '@uprez/contracts/texts/page-titles';
import { incidentPath, sitePaths, statusFiles } from '@uprez/contracts/texts/pages';
import { incidentStateNames, serviceNames } from '@uprez/contracts/texts/status';
import { element, emptyElement, textElement, xmlDocument } from '../blog/xml.ts';

type Source = {
  siteName: string;
  status: Pick<Status, 'incidents' | 'maintenance'>;
  urlOf: (path: string) => string;
};

/** Makes an RSS 2.0 feed with an item for each update of an incident or maintenance. */
export function makeStatusFeed({ siteName, status, urlOf }: Source): string {
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

const makeItem = ({ incident, update }: Item, urlOf: Source['urlOf']) =>
  element('item', [
    textElement('title', `${incidentStateNames[update.state]}: ${incident.title}`),
    textElement('link', urlOf(incidentPath(incident.id))),
    textElement('guid', `urn:uuid:${update.id}`, { isPermaLink: 'false' }),
    textElement('pubDate', new Date(update.at).toUTCString()),
    ...incident.services.map((service) => textElement('category', serviceNames[service])),
    textElement('description', update.text),
  ]);
