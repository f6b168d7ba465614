import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type ServerNotification,
  type ServerRequest,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { ApiError, JobFailedError, Uprez, UprezError } from '@uprez/sdk-node';
import { instructions, version } from './generated/facts.ts';
import { tools } from './generated/tools.ts';
import type { Call, Host } from './host.ts';
import { ToolError } from './tool-error.ts';
import { runTool } from './tools/run-tool.ts';

/**
 * Creates an MCP server with the tools. `getHost` receives the server, because listing the client's folders requires
 * it.
 */
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

/** Records the remaining credits from the last response that reports them. */
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

const fileTools: readonly string[] = ['save_result'];

/** Includes tools and arguments for files only if the host has file access. */
function listTools({ files }: Pick<Host, 'files'>): Tool[] {
  return tools
    .filter(({ name }) => files || !fileTools.includes(name))
    .map((tool) => {
      const { localProperties, ...rest } = { localProperties: {}, ...tool };
      const properties = { ...(files && localProperties), ...tool.inputSchema.properties };
      return { ...rest, inputSchema: { ...tool.inputSchema, properties } } as unknown as Tool;
    });
}

type Reporting = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, 'signal' | '_meta' | 'sendNotification'>;

/** Skips values that aren't higher than the last one, because the protocol requires progress to increase. */
function makeReporter({ _meta, sendNotification }: Reporting) {
  const progressToken = _meta?.progressToken;
  let last = -1;
  return (percent: number, message: string): void => {
    if (progressToken === undefined || percent <= last) return;
    last = percent;
    const params = { progressToken, progress: percent, total: 100, message };
    // Ignores errors, because the call continues even if the client has disconnected.
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** Says what is wrong, what the limit is, and what to do. Throws unexpected errors. */
function presentError(error: unknown): CallToolResult {
  if (!(error instanceof ToolError || error instanceof UprezError)) throw error;
  const text = error instanceof ApiError ? describeApiError(error) : describeOther(error);
  return { content: [{ type: 'text', text }], isError: true };
}

const describeOther = (error: Error): string =>
  error instanceof JobFailedError ? `${error.message}\ncode: ${error.code}\njob_id: ${error.job.id}` : error.message;

const show = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Hints refer to fields by name, so the names mustn't change here. */
function describeApiError(error: ApiError): string {
  const { message, hint, code, param, got, allowed, maxScale, requestId } = error;
  const { max_factor: _, ...meta } = error.meta;
  const facts = [
    ...Object.entries({ code, param, sent: got, allowed }),
    ...Object.entries(meta).map(([name, value]) => [`meta.${name}`, value] as const),
    ...Object.entries({ max_scale: maxScale, request_id: requestId }),
  ];
  const lines = facts.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${show(value)}`);
  return [[message, hint].filter(Boolean).join(' '), ...lines].join('\n');
}

type Schema = { type?: string; minimum?: number; maximum?: number };

const types: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  object: (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
};
const articles: Record<string, string> = { integer: 'a whole number', object: 'an object' };

/** Throws ToolError. Leaves the values of options to the API, which knows the plan's limits. */
function checkArguments({ name, inputSchema }: Tool, args: Record<string, unknown>): void {
  const properties = inputSchema.properties as Record<string, Schema>;
  const list = Object.keys(properties).join(', ') || 'none';
  for (const [argument, value] of Object.entries(args)) {
    const schema = Object.hasOwn(properties, argument) ? properties[argument] : undefined;
    if (!schema) throw new ToolError(`Unknown argument "${argument.slice(0, 40)}" of ${name}. Allowed: ${list}.`);
    checkType(argument, schema, value);
  }
  for (const argument of inputSchema.required ?? [])
    if (args[argument] === undefined) throw new ToolError(`Missing argument "${argument}" of ${name}.`);
}

function checkType(argument: string, { type = 'string' }: Schema, value: unknown): void {
  if (types[type]?.(value) ?? true) return;
  const got = JSON.stringify(value)?.slice(0, 100);
  throw new ToolError(`"${argument}" must be ${articles[type] ?? `a ${type}`}. You sent ${got}.`);
}
