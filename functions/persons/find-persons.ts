import { findPersons } from '../../shared/contract/endpoints/persons.ts';
import { personIndexes } from '../../shared/contract/tables.ts';
import { parseSearch } from '../../shared/domain/persons/parse-search.ts';
import { planSearch } from '../../shared/domain/persons/plan-search.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve, type Tools } from '../../shared/lambda/serve.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { persons } from '../../shared/storage/persons/persons.ts';

const mostMatches = 1000;
// A page is 1 MB. Beyond these the attributes are too weak to search a registry by.
const mostPages = { uin: 1, index: 20, scan: 4 };

export const handler = serve(findPersons, [persons], async ({ query, attributes }, { persons, settings }) => {
  const wanted = parseSearch(attributes, settings.extraAttributes);
  const uins = await findAll(planSearch(wanted, personIndexes), query.limit === undefined, persons);
  const { offset = 0, limit = mostMatches } = query;
  return ok(uins.sort().slice(offset, offset + limit));
});

type Persons = Tools<typeof findPersons, [typeof persons]>['persons'];

/** Every match: an identity search never leaves one out silently. */
async function findAll(plan: ReturnType<typeof planSearch>, isWhole: boolean, persons: Persons): Promise<string[]> {
  const uins: string[] = [];
  let next: Parameters<Persons['page']>[1];
  for (let pages = 1; ; pages++) {
    const page = await persons.page(plan, next);
    uins.push(...page.uins);
    if (isWhole && uins.length > mostMatches) {
      throw new Refusal(
        'tooManyMatches',
        `more than ${mostMatches} persons match: ask for pages, or ${moreAttributes}`,
      );
    }
    if (page.next === undefined) return uins;
    next = page.next;
    if (pages === mostPages[plan.by])
      throw new Refusal('tooManyMatches', `too many persons to read through: ${moreAttributes}`);
  }
}

const plans = Object.values(personIndexes).map(({ partition, sort }) => `${partition} with ${sort}`);
const moreAttributes = `give more attributes, for instance ${plans.join(', ')}`;
