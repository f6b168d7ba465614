/** Calls `work` for each item with limited concurrency. Throws the first error after all running work has ended. */
export async function runLimited<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const take = async () => {
    for (const item of queue) await work(item);
  };
  const workers = Array.from({ length: Math.max(1, Math.min(concurrency, items.length)) }, take);
  const failed = (await Promise.allSettled(workers)).find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
