import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { generatePath } from 'react-router';

/** The page of a file of the media library. */
export const mediaFilePath = (id: string): string => generatePath(adminPages.mediaFile, { id });
