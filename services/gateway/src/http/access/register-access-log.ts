import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { describeAccess } from './describe-access.ts';

/** Records responses in the access log, after they were sent. */
export function registerAccessLog(app: FastifyInstance, { accessLog, config }: Pick<Deps, 'accessLog' | 'config'>) {
  app.addHook('onResponse', (request, reply, done) => {
    const access = describeAccess(config, request, reply);
    if (access?.isRecorded) accessLog.record(access.event);
    if (access?.event.keyId) accessLog.countKey(access.event);
    done();
  });
}
