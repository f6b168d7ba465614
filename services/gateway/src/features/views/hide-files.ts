import type { FastifyRequest } from 'fastify';
import { isViewed } from '../../http/views.ts';

type Linked = { downloadUrl: string | null; thumbnailUrl: string | null };

/** Removes the URLs of files from a response to an administrator who views the account. */
export const hideFiles = <Row extends Linked>(request: FastifyRequest, row: Row): Row =>
  isViewed(request) ? { ...row, downloadUrl: null, thumbnailUrl: null } : row;
