import { limits } from '@uprez/contracts/policy/limits';
import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import { askChild, type End, type Usage } from './ask-child.ts';
import type { KeptChild } from './keep-child.ts';

/** Facts of an image's header, read in the inspecting child within its limit of time. */
export async function inspectBytes(
  inspector: KeptChild,
  bytes: Buffer,
  usage: Usage,
): Promise<{ inspection: Inspection } | End> {
  const message = { type: 'inspect', runId: 'corpus', sizeBytes: bytes.length } as const;
  const reply = await askChild(inspector, { message, bytes, limitMs: limits.inspectionMs }, usage);
  if ('verdict' in reply) return reply;
  if (reply.said.type === 'inspected') return { inspection: reply.said.inspection };
  return { verdict: 'crashed', fault: `the inspecting child said ${reply.said.type}` };
}
