import { limits } from '@uprez/contracts/policy/limits';

/** How a call ends, and what it costs. */
const outcome = [
  'Costs 1 credit per image. Images that fail are not charged. An image with a stored result gets a copy at no charge. Call `estimate` for the cost before you process an image, and `get_account` for the remaining credits.',
  `Waits for the result. If the job takes longer than \`wait_seconds\`, the response has the status \`queued\` or \`processing\`: call \`get_job\` with its ID. Don't repeat the call, because each call creates another job.`,
];

/** What assistants read about the server. */
export const instructions = `Uprez upscales, resizes, and converts images. Processing an image costs 1 credit. Images that fail are not charged. Call \`estimate\` to see the cost, the size, and the time before you process an image, and \`get_account\` for the remaining credits. Processing takes from a second to minutes. If a tool returns an unfinished job, call \`get_job\` until it ends. Download links work for ${limits.downloadLinkMinutes} minutes, and \`get_job\` returns a new one.`;

type ToolText = { title: string; description: string };
const text = (title: string, ...sentences: string[]): ToolText => ({ title, description: sentences.join(' ') });

/** Titles and descriptions of the tools. */
export const toolTexts = {
  upscale_image: text(
    'Upscale an image',
    'Makes an image larger with an AI model that adds detail. The default doubles its width and height.',
    ...outcome,
  ),
  resize_image: text(
    'Resize an image',
    'Changes the size of an image. Choose the size with one of `width` and `height`, `long_side`, `short_side`, `megapixels`, or `scale_factor`.',
    ...outcome,
  ),
  convert_image: text(
    'Convert an image',
    'Changes the file format of an image, its compression, or its metadata, and keeps its size in pixels.',
    ...outcome,
  ),
  estimate: text(
    'Estimate a job',
    'Returns the cost, size, and time of a job without processing an image. Free. Send an image, or its `width` and `height`. All other arguments are the options of the job. For a result of a size in pixels, use `target`.',
    'For a job that would be rejected, the response or the error contains the reason, with the limit and the value that exceeds it.',
  ),
  get_job: text(
    'Get a job',
    'Returns the status of a job, and its result with a new download link when it is completed. Free. Waits up to `wait_seconds` for a job that is not finished.',
  ),
  get_account: text('Get the account', 'Returns the plan, the remaining credits, and the limits of the API key. Free.'),
  save_result: text(
    'Save a result',
    'Writes the result of a completed job to a file on this computer. Free. Never overwrites a file.',
  ),
} as const;
export type ToolName = keyof typeof toolTexts;
