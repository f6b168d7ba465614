import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { generatePath } from 'react-router';

/** The page of a user. */
export const userPath = (id: string): string => generatePath(adminPages.user, { id });
