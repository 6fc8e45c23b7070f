/** Returns the items for which an asynchronous check returns true, in their original order. */
export async function filterAsync<T>(items: readonly T[], check: (item: T) => Promise<boolean>): Promise<T[]> {
  const are = await Promise.all(items.map(check));
  return items.filter((_, index) => are[index]);
}
