import { answerExamples } from '@uprez/contracts/docs/openapi/examples';
import type { V1Job } from '@uprez/contracts/v1/job';

/** An excerpt of a job response. */
export function exampleAnswer(origin: string): Partial<V1Job> {
  const job = answerExamples(origin).v1Process as V1Job;
  const { id, status, original_size, processed_size, processing_time_ms, download_url, expires_at } = job;
  return { id, status, original_size, processed_size, processing_time_ms, download_url, expires_at };
}
