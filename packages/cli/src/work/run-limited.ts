/** Do some work with each of many, so many at a time. The first failure ends it. */
export async function runLimited<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const take = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, take));
}
