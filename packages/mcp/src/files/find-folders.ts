import { realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../tool-error.ts';

/** Lists the folders that the client works in, as file URLs. */
export type ListRoots = () => Promise<readonly string[]>;

/**
 * Returns the real paths of the folders whose files tools may read and write: those of the command line, or those that the
 * client names. Throws ToolError if there are none.
 */
export async function findFolders(named: readonly string[], listRoots: ListRoots): Promise<string[]> {
  const paths = named.length > 0 ? named : await listRootPaths(listRoots);
  const folders = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  const found = folders.filter((folder) => folder !== undefined);
  if (found.length > 0) return found;
  throw new ToolError(
    'This server may not access files. Add a folder to its command line, such as "npx @uprez/mcp /home/you/images", or send the image as "image_url" or "image".',
  );
}

async function listRootPaths(listRoots: ListRoots): Promise<string[]> {
  const roots = await listRoots();
  return roots.filter((uri) => uri.startsWith('file:')).map((uri) => fileURLToPath(uri));
}
