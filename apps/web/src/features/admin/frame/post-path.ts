import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { generatePath } from 'react-router';

/** The editor of a post. */
export const postPath = (id: string): string => generatePath(adminPages.post, { id });
