import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { decodeLimitMs } from '@uprez/imaging/pipeline/estimate';
import type { PixelChild } from '@uprez/runtime/open-pixel-child';

const pollMs = 500;
const decoding = 'decode';

/**
 * Watches the CPU time of a run until its source is decoded. Above the limit, kills the child with `image_too_complex`,
 * which isn't retried. The cost of some files can't be read from their structure, such as the frames of a JPEG XL. Call
 * `onStage` with each stage, and `stop` at the end of the run.
 */
export function limitDecoding(child: Pick<PixelChild, 'cpuMs' | 'kill'>, pipeline: ImagePipeline) {
  const before = child.cpuMs();
  const limitMs = decodeLimitMs(pipeline);
  const timer = setInterval(() => {
    if (child.cpuMs() - before > limitMs) child.kill('image_too_complex');
  }, pollMs);
  const stop = () => clearInterval(timer);
  return { stop, onStage: (stage: string) => (stage === decoding ? undefined : stop()) };
}
