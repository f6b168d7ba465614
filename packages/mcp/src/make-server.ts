import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { Uprez } from '@uprez/sdk-node';
import { instructions, version } from './generated/facts.ts';
import type { Call, Host } from './host.ts';
import { makeReporter, type Reporting } from './make-reporter.ts';
import { presentError } from './results/present-error.ts';
import { checkArguments } from './tools/check-arguments.ts';
import { listTools } from './tools/list-tools.ts';
import { runTool } from './tools/run-tool.ts';

/** Makes a server with the tools. `host` may depend on the server, because the server asks its client for folders. */
export function makeServer(getHost: (server: Server) => Host): Server {
  const server = new Server({ name: 'uprez', title: 'Uprez', version }, { capabilities: { tools: {} }, instructions });
  const host = getHost(server);
  const tools = listTools(host);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, reporting) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool "${params.name.slice(0, 100)}".`);
    return callTool(tool, { host, args: params.arguments ?? {}, reporting });
  });
  return server;
}

type Asked = { host: Host; args: Record<string, unknown>; reporting: Reporting };

async function callTool(tool: Tool, { host, args, reporting }: Asked): Promise<CallToolResult> {
  try {
    checkArguments(tool, args);
    const call: Call = { ...openClient(host), args, host, signal: reporting.signal, report: makeReporter(reporting) };
    return await runTool(tool.name, call);
  } catch (error) {
    return presentError(error);
  }
}

/** Opens a client that remembers the remaining credits of its last response. */
function openClient({ client }: Host): Pick<Call, 'client' | 'creditsLeft'> {
  const { fetch: send = globalThis.fetch } = client;
  let left: number | undefined;
  const observe: typeof fetch = async (...request) => {
    const response = await send(...request);
    const header = response.headers.get('x-credits-remaining');
    if (header !== null) left = Number(header);
    return response;
  };
  return { client: new Uprez({ ...client, fetch: observe }), creditsLeft: () => left };
}
