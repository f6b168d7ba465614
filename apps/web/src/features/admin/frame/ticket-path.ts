import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { generatePath } from 'react-router';

/** The page of a ticket. */
export const ticketPath = (id: string): string => generatePath(adminPages.ticket, { id });
