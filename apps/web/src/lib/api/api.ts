import { createClient } from '@uprez/client/create-client';

/** Client of the web API on this origin. */
export const api = createClient();
