import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js';

/** A result with a summary, other content, and data. The data is also sent as text, for clients that read only texts. */
export const presentData = (summary: string, data: object, content: ContentBlock[] = []): CallToolResult => ({
  content: [{ type: 'text', text: summary }, ...content, { type: 'text', text: JSON.stringify(data) }],
  structuredContent: { ...data },
});
