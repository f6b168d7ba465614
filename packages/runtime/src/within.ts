/** What `work` answers, or an error made by `late` once `ms` have passed. The work itself goes on. */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  return Promise.race([work, expiry]).finally(() => clearTimeout(timer));
}
