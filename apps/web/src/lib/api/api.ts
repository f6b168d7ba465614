import { createClient } from '@uprez/client/create-client';

/** The HTTP contract on this origin. */
export const api = createClient();
