import type { Job } from '@uprez/contracts/schemas/job';
import { api } from '../../../lib/api/api.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { dashboardKey } from '../../../lib/api/use-dashboard.ts';
import { processorMessages as text } from '../messages.ts';
import { endRun } from '../processor-store.ts';
import { jobKey } from '../run/job-key.ts';
import { deleteJobId } from '../run/run-storage.ts';

/** Deletes the result of a job and shows the receipt. Throws ApiError. */
export async function deleteResult({ id, filename }: Pick<Job, 'id' | 'filename'>): Promise<void> {
  const { data } = await api.deleteJob({ params: { id } });
  deleteJobId();
  endRun({ note: text.deleted, ...('objects' in data && { deletion: { receipt: data, filename } }) });
  queryClient.removeQueries({ queryKey: jobKey(id) });
  await queryClient.invalidateQueries({ queryKey: dashboardKey });
}
