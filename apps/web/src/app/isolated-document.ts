import { sitePaths } from '@uprez/contracts/texts/pages';
import { redirectDocument } from 'react-router';

/** Whether this document shares memory between threads. That is decided when it is loaded. */
const isIsolatedDocument = typeof window !== 'undefined' && window.location.pathname.startsWith(sitePaths.local);

/** Loads the page that processes images in the browser from the server, unless the document came from there. */
export const requireIsolatedDocument = ({ request }: { request: Request }) =>
  isIsolatedDocument ? null : redirectDocument(request.url);
