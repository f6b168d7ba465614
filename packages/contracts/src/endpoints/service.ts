import { adminStatsSchema } from '../schemas/admin.ts';
import { toV1Schema } from '../v1/to-v1-schema.ts';
import { defineEndpoints, type Endpoint } from './endpoint.ts';
import type { serviceRoutes } from './routes-service.ts';

/** What service keys read. */
export const serviceEndpoints = defineEndpoints('service', {
  v1AdminStats: { answers: { 200: toV1Schema(adminStatsSchema) }, scope: 'admin:read' },
}) satisfies Record<keyof typeof serviceRoutes, Endpoint>;
