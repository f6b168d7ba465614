import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import type { TestGateway } from './start-test-gateway.ts';

type CallOptions = { signal?: AbortSignal; onprogress?: (progress: Progress) => void };
export type McpClient = Awaited<ReturnType<typeof openMcpClient>>;

/** The texts of a result. */
export const textOf = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

/** Connects the client of the protocol's SDK to a gateway. It checks results against the schemas of their tools. */
export async function openMcpClient({ url }: Pick<TestGateway, 'url'>, key: string) {
  const client = new Client({ name: 'tests', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  await client.listTools();
  return {
    client,
    call: async (name: string, args: Record<string, unknown> = {}, options: CallOptions = {}) =>
      (await client.callTool({ name, arguments: args }, undefined, options)) as CallToolResult,
    close: () => client.close(),
  };
}
