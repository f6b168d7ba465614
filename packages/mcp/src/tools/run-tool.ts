import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Call } from '../host.ts';
import { estimate } from './estimate.ts';
import { getAccount } from './get-account.ts';
import { getJob } from './get-job.ts';
import { convertImage, processImage } from './process-image.ts';
import { saveResult } from './save-result.ts';

const runners: Record<string, (call: Call) => Promise<CallToolResult>> = {
  upscale_image: processImage,
  resize_image: processImage,
  convert_image: convertImage,
  estimate,
  get_job: getJob,
  get_account: getAccount,
  save_result: saveResult,
};

/** Runs a tool. Throws ToolError, UprezError, and the reason of the call's signal. */
export function runTool(name: string, call: Call): Promise<CallToolResult> {
  const run = runners[name];
  if (!run) throw new Error(`The tool ${name} has no code.`);
  return run(call);
}
