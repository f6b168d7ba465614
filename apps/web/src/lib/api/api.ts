import { createClient } from '@uprez/client/create-client';
import { fetchWithStepUp } from '../session/step-up.ts';

export const api = createClient({ fetch: fetchWithStepUp });
