import type { AccessEventView } from '@uprez/contracts/schemas/access-log';
import type { ExportColumns } from './send-export.ts';

/** The fields of an export of the access log. */
export const accessLogColumns: ExportColumns<'accessLog', AccessEventView> = {
  event: { event: ({ id }) => id, kind: ({ kind }) => kind, count: ({ count }) => count },
  account: {
    user_id: ({ user }) => user?.id ?? null,
    user_email: ({ user }) => user?.email ?? null,
    administrator_id: ({ staff }) => staff?.id ?? null,
    administrator_email: ({ staff }) => staff?.email ?? null,
    api_key: ({ key }) => key?.name ?? null,
  },
  address: {
    ip_address: ({ address }) => address,
    network: ({ network }) => network,
    country: ({ country }) => country,
    user_agent: ({ userAgent }) => userAgent,
  },
  request: {
    method: ({ method }) => method,
    path: ({ path }) => path,
    request_id: ({ requestId }) => requestId,
  },
  status: { status: ({ status }) => status },
  at: { at: ({ at }) => at },
};
