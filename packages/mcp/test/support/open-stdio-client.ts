import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type CallToolResult, ListRootsRequestSchema, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { inheritedEnv } from '@uprez/testing/config';
import { oldestNode } from '@uprez/testing/programs/node-programs';

export const program = fileURLToPath(new URL('../../bin/uprez-mcp.js', import.meta.url));

/** `roots`: URLs of the folders that the client names. `undefined`: it names none. `node`: the Node.js that runs it. */
type StdioOptions = { folders?: string[]; roots?: string[]; env?: Record<string, string>; node?: string };
type CallOptions = { signal?: AbortSignal; onprogress?: (progress: Progress) => void };

/** The texts of a result. */
export const textOf = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

/** Starts the server as a process, and connects the client of the protocol's SDK, which checks results. */
export async function openStdioClient({ folders = [], roots, env = {}, node = oldestNode }: StdioOptions) {
  const client = new Client({ name: 'tests', version: '1.0.0' }, { capabilities: roots ? { roots: {} } : {} });
  if (roots) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((uri) => ({ uri })) }));
  const transport = new StdioClientTransport({
    command: node,
    args: [program, ...folders],
    env: { PATH: inheritedEnv.PATH ?? '', ...env },
    stderr: 'pipe',
  });
  const errors: string[] = [];
  transport.stderr?.on('data', (chunk) => errors.push(String(chunk)));
  // The transport reports lines of stdout that aren't messages.
  client.onerror = (error) => errors.push(String(error));
  await client.connect(transport);
  await client.listTools();
  return {
    client,
    errors,
    call: async (name: string, args: Record<string, unknown> = {}, options: CallOptions = {}) =>
      (await client.callTool({ name, arguments: args }, undefined, options)) as CallToolResult,
    close: () => client.close(),
  };
}
