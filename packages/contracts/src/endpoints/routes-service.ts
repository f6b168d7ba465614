/** Calls of service keys. They are no part of the public API's documents and SDKs, because keys of accounts can't make them. */
export const serviceRoutes = {
  v1AdminStats: { method: 'GET', path: '/v1/admin/stats' },
} as const;
