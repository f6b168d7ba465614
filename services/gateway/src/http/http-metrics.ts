import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';

/** Seconds; calls may wait for a job for up to a minute. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Durations of all requests by method, route template, and status class. URLs never become labels. */
export function registerHttpMetrics(app: FastifyInstance, { metrics }: Pick<Deps, 'metrics'>): void {
  const durations = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests.',
    labels: ['method', 'route', 'status'],
    buckets,
  });
  app.addHook('onResponse', async (request, reply) => {
    const { url: route = 'none', method = 'none' } = request.is404 ? {} : request.routeOptions;
    const labels = { method: String(method), route, status: `${Math.floor(reply.statusCode / 100)}xx` };
    durations.observe(labels, reply.elapsedTime / 1_000);
  });
}
