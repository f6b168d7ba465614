import { documentationPage } from '@uprez/contracts/texts/pages';
import type { Place } from '../outline-data.ts';
import { tabNames } from './places.ts';

/** Returns the URL of a place. The first tab has no query parameter. */
export const sectionUrl = ({ tab, id }: Pick<Place, 'tab' | 'id'>): string =>
  `${documentationPage}${tab === tabNames[0] ? '' : `?tab=${tab}`}#${id}`;
