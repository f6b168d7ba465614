import type { FastifyInstance } from 'fastify';
import { refuseVersion } from './refuse-version.ts';
import { refuseWhileClosing } from './refuse-while-closing.ts';

/** Refuse what is not looked at, whatever it asks for. `closing`: the gateway ends. */
export function registerRefusals(app: FastifyInstance, closing: AbortSignal): void {
  app.addHook('onRequest', refuseWhileClosing(closing));
  app.addHook('onRequest', refuseVersion);
}
