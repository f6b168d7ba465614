/** The Model Context Protocol. Its messages are those of the protocol, so it is no part of the public API's documents and SDKs. */
export const mcpRoutes = {
  mcp: { method: 'POST', path: '/mcp' },
} as const;
