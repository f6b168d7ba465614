import { stat } from 'node:fs/promises';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { openFileAccess } from './files/open-file-access.ts';
import { limits, version } from './generated/facts.ts';
import { makeServer } from './make-server.ts';

const usage = `Usage: uprez-mcp [FOLDER...]

Serves the tools of Uprez to an assistant, over stdin and stdout. Tools read images and write results in these folders
only. Without folders, they use those of the assistant, if it names any.

Environment:
  UPREZ_API_KEY  API key
  UPREZ_URL      URL of the Uprez service
`;

/** Maximum message size, in bytes. Leaves room for the largest image as base64 in JSON. */
const maxBufferSize = limits.jsonImageBytes * 2;

async function serve(folders: string[]): Promise<void> {
  const server = makeServer((self) => ({
    client: {},
    files: openFileAccess(folders, () => listRoots(self)),
    cancelsJobs: true,
  }));
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize });
  // Errors go to stderr, because stdout is reserved for protocol messages.
  server.onerror = (error) => process.stderr.write(`${error.message}\n`);
  const close = () => void server.close();
  process.stdin.once('end', close);
  process.stdout.once('error', close);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, close);
  await server.connect(transport);
}

/** Returns none for clients without roots, which is common. */
async function listRoots(server: Server): Promise<string[]> {
  if (!server.getClientCapabilities()?.roots) return [];
  const { roots } = await server.listRoots();
  return roots.map(({ uri }) => uri);
}

async function findMissing(folders: string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const facts = await stat(folder).catch(() => undefined);
    if (!facts?.isDirectory()) return folder;
  }
  return undefined;
}

const args = process.argv.slice(2);
const missing = await findMissing(args);
if (args.includes('--version')) process.stdout.write(`${version}\n`);
else if (args.includes('--help') || args.includes('-h')) process.stdout.write(usage);
else if (missing !== undefined) {
  process.stderr.write(`Folder not found: "${missing}". Run "uprez-mcp --help".\n`);
  process.exitCode = 2;
} else await serve(args);
