import type { DryRun } from '@uprez/contracts/schemas/estimate';
import type { Job, PublicJob } from '@uprez/contracts/schemas/job';
import type { PlannedUpload } from '@uprez/domain/intake/plan-upload';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import type { Config } from '../config.ts';
import { presentJob } from '../features/jobs/present-job.ts';
import { absoluteUrl, documentationUrl } from '../http/public-links.ts';

type LinkConfig = Pick<Config, 'URL_SECRET' | 'PUBLIC_URL'>;
/** `prefix`: `/v1` or that of the sandbox. `notes`: of this request, in addition to those of the job. */
type Options = { prefix: string; notes?: readonly string[] | undefined };

/** A job of `/v1`, before the plugin renames its fields. The schema removes the fields that only `/api` has. */
export function presentV1Job(
  config: LinkConfig,
  found: JobWithFiles,
  { prefix, notes = [] }: Options,
): Job & PublicJob {
  const { notes: own, receipt, kind } = found.job;
  const { error, ...job } = presentJob(config, found, '/v1');
  return {
    ...job,
    jobId: job.id,
    success: job.status !== 'failed' && job.status !== 'cancelled',
    processingTime: job.processingTimeMs === null ? null : job.processingTimeMs / 1_000,
    downloadUrl: job.downloadUrl && absoluteUrl(config, job.downloadUrl),
    statusUrl: absoluteUrl(config, `${prefix}/jobs/${job.id}`),
    sandbox: kind === 'sandbox',
    notes: [...new Set([...notes, ...own, ...(receipt?.notes ?? [])])],
    ...(error && { error: presentV1Error(config, error) }),
  };
}

/** The error of a job or of a batch item, with a link to its explanation. */
export const presentV1Error = (config: LinkConfig, error: { code: string; message: string }) => ({
  ...error,
  documentationUrl: documentationUrl(config, error.code),
});

/** The response to a dry run. */
export function presentDryRun(
  { plan, recipe, notes, source: { sizeBytes } }: PlannedUpload,
  charge: Pick<DryRun, 'units' | 'meter'>,
): DryRun {
  const { source, output, estimate, engine } = plan;
  return {
    dryRun: true,
    width: output.width,
    height: output.height,
    bytes: estimate.outputBytes,
    seconds: estimate.seconds,
    format: output.format,
    quality: recipe.quality,
    engine,
    originalSize: { width: source.width, height: source.height, fileSize: sizeBytes },
    ...charge,
    notes,
  };
}
