/** Name -> method and path of every call: plain data, so that the web app can load it without a validator. */
export const routes = {
  register: { method: 'POST', path: '/api/register' },
  login: { method: 'POST', path: '/api/login' },
  loginPage: { method: 'GET', path: '/api/login' },
  logout: { method: 'POST', path: '/api/logout' },
  user: { method: 'GET', path: '/api/user' },
  authUser: { method: 'GET', path: '/api/auth/user' },
  processImage: { method: 'POST', path: '/api/images/process' },
  downloadImage: { method: 'GET', path: '/api/images/download/:id' },
  thumbnail: { method: 'GET', path: '/api/images/thumbnail/:id' },
  signedFile: { method: 'GET', path: '/api/files/:id/:name' },
  listJobs: { method: 'GET', path: '/api/jobs' },
  jobReceipt: { method: 'GET', path: '/api/jobs/:id/receipt' },
  getJob: { method: 'GET', path: '/api/jobs/:id' },
  deleteJob: { method: 'DELETE', path: '/api/jobs/:id' },
  listEngines: { method: 'GET', path: '/api/engines' },
  events: { method: 'GET', path: '/api/events' },
  health: { method: 'GET', path: '/healthz' },
  readiness: { method: 'GET', path: '/readyz' },
} as const;
export type RouteName = keyof typeof routes;
