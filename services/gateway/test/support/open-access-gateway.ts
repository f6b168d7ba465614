import type { AccessKind } from '@uprez/contracts/policy/admin/logs';
import type { Tables } from '@uprez/db/database';
import { waitUntil } from '@uprez/testing/wait-until';
import type { Selectable } from 'kysely';
import type { Deps } from '../../src/deps.ts';
import { startTestGateway } from './start-test-gateway.ts';

type Event = Selectable<Tables['accessEvents']>;
type Filter = Partial<Pick<Event, 'userId' | 'staffId' | 'keyId' | 'address' | 'path'>> & { kind?: AccessKind };

/** A gateway behind a trusted proxy: `x-forwarded-for` and `x-country` name the client. */
export async function openAccessGateway(settings: Record<string, string> = {}) {
  const opened: { deps?: Deps } = {};
  const proxy = { TRUST_PROXY: '127.0.0.1', COUNTRY_HEADER: 'X-Country' };
  const gateway = await startTestGateway({ ...proxy, ...settings }, undefined, (deps) => {
    opened.deps = deps;
    return {};
  });
  const { db } = gateway.ctx;
  const list = async (filter: Filter): Promise<Event[]> => {
    await opened.deps?.accessLog.flush();
    let query = db.selectFrom('accessEvents').selectAll();
    for (const [name, value] of Object.entries(filter)) query = query.where(name as keyof Filter, '=', value);
    return query.orderBy('at').orderBy('id').execute();
  };
  return {
    ...gateway,
    deps: opened.deps as Deps,
    list,
    /** Waits for so many events. Responses are recorded after they were sent. */
    waitFor: (filter: Filter, count = 1) =>
      waitUntil(async () => {
        const events = await list(filter);
        return events.length >= count && events;
      }),
    /** Sends a request from an IP address. */
    sendFrom: (
      address: string,
      path: string,
      { body, headers }: { body?: object; headers?: Record<string, string> } = {},
    ) =>
      fetch(`${gateway.url}${path}`, {
        headers: {
          'x-forwarded-for': address,
          'user-agent': 'tests',
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
  };
}
