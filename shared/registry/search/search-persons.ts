import { addedIndexes, completeIndexes } from '../../domain/persons/added-indexes.ts';
import type { Attributes } from '../../domain/persons/attributes.ts';
import type { PersonIndexes } from '../../domain/persons/person-index.ts';
import { planSearch, type SearchPlan } from '../../domain/persons/plan-search.ts';
import { cacheFor } from '../../lambda/cache-for.ts';
import type { persons } from '../../storage/persons/store.ts';

// For a missing or incomplete index, DynamoDB returns `ValidationException`; emulators return
// `ResourceNotFoundException`.
const unbuilt = new Set(['ValidationException', 'ResourceNotFoundException']);

/** Returns whether a query failed because the index is missing or not built yet. */
export const isUnbuilt = (error: unknown): boolean => error instanceof Error && unbuilt.has(error.name);

type Persons = ReturnType<typeof persons.permissions.find>;

interface Found {
  readonly uins: string[];
  /** `uins` contains one UIN more than the limit, or no UIN if the search read too many persons. */
  readonly tooMany?: string;
}

interface SearchTools {
  readonly persons: Pick<Persons, 'page' | 'indexState'>;
  readonly now: () => number;
  /** Called if a complete index is unavailable. The search then uses the remaining indexes. */
  readonly onUnbuilt: (index: string, error: unknown) => void;
}

// The maximum number of 1 MB pages that a search may read. If a search needs more pages, the client must give more
// specific attributes.
const maxPages = { uin: 1, index: 20, scan: 4 };

// Searches may continue to use a withdrawn index for up to this many minutes.
const indexMinutes = 1;

// After a rollback, the previous release has no permission to read an index that only the newer release uses.
const isUnavailable = (error: unknown): boolean =>
  isUnbuilt(error) || (error instanceof Error && error.name === 'AccessDeniedException');

/**
 * Creates a search that returns the UIN of every matching person once, in no particular order. The search uses only
 * indexes that contain every person.
 * @returns a search function with an optional limit on matches
 */
export function createSearch(indexes: PersonIndexes) {
  const cached = cacheFor<readonly string[]>(indexMinutes);
  const hasAdded = addedIndexes(indexes).length > 0;
  const passedOver = new Set<string>();

  async function searchable({ persons, now }: SearchTools): Promise<PersonIndexes> {
    if (!hasAdded) return indexes;
    const complete = await cached(async () => {
      passedOver.clear();
      return (await persons.indexState())?.complete ?? [];
    }, now());
    const known = Object.entries(completeIndexes(indexes, complete));
    return Object.fromEntries(known.filter(([name]) => !passedOver.has(name)));
  }

  return async function search(wanted: Attributes, max: number | undefined, tools: SearchTools): Promise<Found> {
    const among = await searchable(tools);
    const plan = planSearch(wanted, among);
    try {
      return await readAll(plan, max, among, tools);
    } catch (error) {
      if (plan.by !== 'index' || among[plan.index]?.added === undefined || !isUnavailable(error)) throw error;
      tools.onUnbuilt(plan.index, error);
      passedOver.add(plan.index);
      return search(wanted, max, tools);
    }
  };
}

/** Reads all matches, because an identity search must never silently omit a person. */
async function readAll(
  plan: SearchPlan,
  max: number | undefined,
  indexes: PersonIndexes,
  { persons }: SearchTools,
): Promise<Found> {
  const plans = Object.values(indexes).map(({ partition, sort }) => `${partition} with ${sort}`);
  const moreAttributes = `give more attributes, such as ${plans.join(', ')}`;
  const uins = new Set<string>();
  let next: Parameters<Persons['page']>[1];
  for (let pages = 1; ; pages++) {
    const page = await persons.page(plan, next);
    for (const uin of page.uins) uins.add(uin);
    if (max !== undefined && uins.size > max) {
      const tooMany = `more than ${max} persons match: use pages (limit and offset), or ${moreAttributes}`;
      return { uins: [...uins].slice(0, max + 1), tooMany };
    }
    if (page.next === undefined) return { uins: [...uins] };
    next = page.next;
    if (pages === maxPages[plan.by])
      return { uins: [], tooMany: `the search has to read too many persons: ${moreAttributes}` };
  }
}
