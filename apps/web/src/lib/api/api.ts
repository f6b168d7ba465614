import { createClient } from '@uprez/client/create-client';

export const api = createClient();
