// Generated from the declarations of the endpoints by `npm run generate:routes`. Do not edit.

/** Name -> method and path of the calls of the public API. Each is also under `/api/v1`, and under `/v1/sandbox` (and `/api/v1/sandbox`) for the sandbox. */
export const v1Routes = {
  v1GetJob: { method: 'GET', path: '/v1/jobs/:id' },
  v1DeleteJob: { method: 'DELETE', path: '/v1/jobs/:id' },
  v1JobReceipt: { method: 'GET', path: '/v1/jobs/:id/receipt' },
  v1PutBatchItem: { method: 'PUT', path: '/v1/batches/:id/items/:itemId' },
  v1GetBatch: { method: 'GET', path: '/v1/batches/:id' },
  v1CancelBatch: { method: 'POST', path: '/v1/batches/:id/cancel' },
  v1RetryBatch: { method: 'POST', path: '/v1/batches/:id/retry' },
  v1BatchZip: { method: 'GET', path: '/v1/batches/:id/zip' },
  v1BatchManifest: { method: 'GET', path: '/v1/batches/:id/manifest.json' },
  v1BatchManifestCsv: { method: 'GET', path: '/v1/batches/:id/manifest.csv' },
  v1Image: { method: 'GET', path: '/v1/img/:signature/:processing/:source' },
  v1ListWebhooks: { method: 'GET', path: '/v1/webhooks' },
  v1CreateWebhook: { method: 'POST', path: '/v1/webhooks' },
  v1GetWebhook: { method: 'GET', path: '/v1/webhooks/:id' },
  v1UpdateWebhook: { method: 'PATCH', path: '/v1/webhooks/:id' },
  v1DeleteWebhook: { method: 'DELETE', path: '/v1/webhooks/:id' },
  v1RotateWebhookSecret: { method: 'POST', path: '/v1/webhooks/:id/rotate' },
  v1TestWebhook: { method: 'POST', path: '/v1/webhooks/:id/test' },
  v1ResendWebhook: { method: 'POST', path: '/v1/webhooks/:id/resend' },
  v1ListWebhookDeliveries: { method: 'GET', path: '/v1/webhooks/:id/deliveries' },
  v1GetWebhookDelivery: { method: 'GET', path: '/v1/webhooks/:id/deliveries/:deliveryId' },
  v1ResendWebhookDelivery: { method: 'POST', path: '/v1/webhooks/:id/deliveries/:deliveryId/resend' },
  v1ListEvents: { method: 'GET', path: '/v1/events' },
  v1JobStatus: { method: 'GET', path: '/v1/status/:id' },
  v1Account: { method: 'GET', path: '/v1/account' },
  v1Process: { method: 'POST', path: '/v1/process' },
  v1Resize: { method: 'POST', path: '/v1/resize' },
  v1JobResult: { method: 'GET', path: '/v1/jobs/:id/result' },
  v1ListJobs: { method: 'GET', path: '/v1/jobs' },
  v1ListBatches: { method: 'GET', path: '/v1/batches' },
  v1CreateBatch: { method: 'POST', path: '/v1/batches' },
  v1Bulk: { method: 'POST', path: '/v1/bulk' },
  v1Estimate: { method: 'POST', path: '/v1/estimate' },
  v1Engines: { method: 'GET', path: '/v1/engines' },
  v1File: { method: 'GET', path: '/v1/files/:id/:name' },
  v1OpenApi: { method: 'GET', path: '/v1/openapi.json' },
  v1Postman: { method: 'GET', path: '/v1/postman.json' },
} as const;

/** Name -> method and path of the calls of service keys. They are no part of the public API's documents and SDKs, because keys of accounts can't make them. */
export const serviceRoutes = {
  v1AdminStats: { method: 'GET', path: '/v1/admin/stats' },
} as const;

/** Name -> method and path of the calls of the Model Context Protocol. Its messages are those of the protocol, so it is no part of the public API's documents and SDKs. */
export const mcpRoutes = {
  mcp: { method: 'POST', path: '/mcp' },
} as const;
