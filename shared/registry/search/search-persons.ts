import { addedIndexes, wholeIndexes } from '../../domain/persons/added-indexes.ts';
import type { Attributes } from '../../domain/persons/attributes.ts';
import type { PersonIndexes } from '../../domain/persons/person-index.ts';
import { planSearch, type SearchPlan } from '../../domain/persons/plan-search.ts';
import { isUnbuilt } from '../../indexes/is-unbuilt.ts';
import { cacheFor } from '../../lambda/cache-for.ts';
import type { persons } from '../../storage/persons/persons.ts';

type Persons = ReturnType<typeof persons.permissions.find>;

/** What a search is made with: the store's methods, a clock. */
interface SearchTools {
  readonly persons: Pick<Persons, 'page' | 'indexState'>;
  readonly now: () => number;
  /** What a search is refused with that finds too many. */
  readonly tooMany: (message: string) => Error;
  /** Hears of an index that counts as whole and does not answer: the search goes by the others. */
  readonly onUnbuilt: (index: string, error: unknown) => void;
}

// A page is 1 MB. Beyond these the attributes are too weak to search a registry by.
const mostPages = { uin: 1, index: 20, scan: 4 };

// An index that is withdrawn is searched for as long.
const indexMinutes = 1;

// The grants of the release before do not name an index that is taken back.
const isGone = (error: unknown): boolean =>
  isUnbuilt(error) || (error instanceof Error && error.name === 'AccessDeniedException');

/**
 * Makes the search for persons: the UINs of all who match, once each and in no order. Of the indexes it takes those that hold everybody: those that
 * were never added do.
 * @returns a search, which takes how many there may be where no page was asked for
 */
export function searchBy(indexes: PersonIndexes) {
  const cached = cacheFor<readonly string[]>(indexMinutes);
  const hasAdded = addedIndexes(indexes).length > 0;
  const passedOver = new Set<string>();

  async function searchable({ persons, now }: SearchTools): Promise<PersonIndexes> {
    if (!hasAdded) return indexes;
    const whole = await cached(async () => {
      passedOver.clear();
      return (await persons.indexState())?.whole ?? [];
    }, now());
    const known = Object.entries(wholeIndexes(indexes, whole));
    return Object.fromEntries(known.filter(([name]) => !passedOver.has(name)));
  }

  return async function search(wanted: Attributes, most: number | undefined, tools: SearchTools): Promise<string[]> {
    const among = await searchable(tools);
    const plan = planSearch(wanted, among);
    try {
      return await readAll(plan, most, among, tools);
    } catch (error) {
      if (plan.by !== 'index' || among[plan.index]?.added === undefined || !isGone(error)) throw error;
      tools.onUnbuilt(plan.index, error);
      passedOver.add(plan.index);
      return search(wanted, most, tools);
    }
  };
}

/** Every match, once: an identity search never leaves one out silently. */
async function readAll(
  plan: SearchPlan,
  most: number | undefined,
  indexes: PersonIndexes,
  { persons, tooMany }: SearchTools,
): Promise<string[]> {
  const plans = Object.values(indexes).map(({ partition, sort }) => `${partition} with ${sort}`);
  const moreAttributes = `give more attributes, for instance ${plans.join(', ')}`;
  const uins = new Set<string>();
  let next: Parameters<Persons['page']>[1];
  for (let pages = 1; ; pages++) {
    const page = await persons.page(plan, next);
    for (const uin of page.uins) uins.add(uin);
    if (most !== undefined && uins.size > most) {
      throw tooMany(`more than ${most} persons match: ask for pages (limit and offset), or ${moreAttributes}`);
    }
    if (page.next === undefined) return [...uins];
    next = page.next;
    if (pages === mostPages[plan.by]) throw tooMany(`too many persons to read through: ${moreAttributes}`);
  }
}
