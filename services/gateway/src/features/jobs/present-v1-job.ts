import type { V1DryRun } from '@uprez/contracts/v1/estimate';
import type { V1Job } from '@uprez/contracts/v1/job';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import type { Config } from '../../config.ts';
import { absoluteUrl, documentationUrl } from '../../http/public-links.ts';
import { presentJob } from './present-job.ts';

type LinkConfig = Pick<Config, 'URL_SECRET' | 'PUBLIC_URL'>;
/** `prefix`: what this caller's addresses begin with. `notes`: of this call, besides the job's own. */
export type V1Answer = { prefix: string; notes?: readonly string[] };

const sizeOf = ({ width, height, fileSize }: { width: number; height: number; fileSize: number }) => ({
  width,
  height,
  file_size: fileSize,
});

/** A job as the public API answers it. */
export function presentV1Job(config: LinkConfig, found: JobWithFiles, { prefix, notes = [] }: V1Answer): V1Job {
  const { notes: own, receipt, kind } = found.job;
  const job = presentJob(config, found, '/v1');
  return {
    id: job.id,
    job_id: job.id,
    success: job.status !== 'failed' && job.status !== 'cancelled',
    status: job.status,
    progress: job.progress,
    ...(job.queuePosition !== undefined && { queue_position: job.queuePosition }),
    filename: job.filename,
    scale_factor: job.scaleFactor,
    format: job.format,
    quality: job.quality,
    engine: job.engine,
    original_size: sizeOf(job.originalSize),
    processed_size: job.processedSize && sizeOf(job.processedSize),
    processing_time_ms: job.processingTimeMs,
    processing_time: job.processingTimeMs === null ? null : job.processingTimeMs / 1_000,
    estimated_seconds: job.estimatedSeconds,
    download_url: job.downloadUrl && absoluteUrl(config, job.downloadUrl),
    status_url: absoluteUrl(config, `${prefix}/jobs/${job.id}`),
    created_at: job.createdAt,
    expires_at: job.expiresAt,
    sandbox: kind === 'sandbox',
    notes: [...new Set([...notes, ...own, ...(receipt?.notes ?? [])])],
    ...(job.error && { error: presentV1Error(config, job.error) }),
  };
}

/** What is wrong with a job or an item. */
export const presentV1Error = (config: LinkConfig, { code, message }: { code: string; message: string }) => ({
  code,
  message,
  documentation_url: documentationUrl(config, code),
});

type Planned = Pick<JobWithFiles['job'], 'plan' | 'recipe' | 'notes'> & { sizeBytes: number; meter: V1DryRun['meter'] };

/** What an image would become. `units`: what the job would be charged. */
export function presentDryRun({ plan, recipe, notes, sizeBytes, meter }: Planned, units: number): V1DryRun {
  const { source, output, estimate, engine } = plan;
  return {
    dry_run: true,
    width: output.width,
    height: output.height,
    bytes: estimate.outputBytes,
    seconds: estimate.seconds,
    format: output.format,
    quality: recipe.quality,
    engine,
    original_size: { width: source.width, height: source.height, file_size: sizeBytes },
    units,
    meter,
    notes,
  };
}
