import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { generatePath } from 'react-router';

/** The page of a campaign. */
export const campaignPath = (id: string): string => generatePath(adminPages.campaign, { id });
