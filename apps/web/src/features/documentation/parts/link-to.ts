import { documentationPage } from '@uprez/contracts/texts/pages';
import type { Place } from '../outline-data.ts';
import { tabNames } from './places.ts';

/** URL of a section. The first tab is the default. */
export const linkTo = ({ tab, id }: Pick<Place, 'tab' | 'id'>): string =>
  `${documentationPage}${tab === tabNames[0] ? '' : `?tab=${tab}`}#${id}`;
