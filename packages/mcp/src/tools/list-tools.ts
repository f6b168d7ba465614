import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { tools } from '../generated/tools.ts';
import type { Host } from '../host.ts';

/** Tools that only make sense with files. */
const localOnly: readonly string[] = ['save_result'];

/** Lists the tools of a host, with the arguments that name files if it has files. */
export function listTools({ files }: Pick<Host, 'files'>): Tool[] {
  return tools
    .filter(({ name }) => files || !localOnly.includes(name))
    .map((tool) => {
      const { localProperties, ...rest } = { localProperties: {}, ...tool };
      const properties = { ...(files && localProperties), ...tool.inputSchema.properties };
      return { ...rest, inputSchema: { ...tool.inputSchema, properties } } as unknown as Tool;
    });
}
