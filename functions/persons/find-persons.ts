import { findPersons } from '../../shared/contract/endpoints/persons.ts';
import { faultLogged } from '../../shared/contract/log-lines.ts';
import { personIndexes } from '../../shared/contract/tables.ts';
import { toldNames } from '../../shared/domain/journal/told-names.ts';
import { parseSearch } from '../../shared/domain/persons/parse-search.ts';
import { selectAttributes, storedNames } from '../../shared/domain/persons/select-attributes.ts';
import { answerBytes, largestAnswerBytes } from '../../shared/lambda/answer-size.ts';
import { addMetric } from '../../shared/lambda/emit-metrics.ts';
import { logFault } from '../../shared/lambda/logger.ts';
import { noteAnswer, refusePurposeless } from '../../shared/lambda/note-reads.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { Fault } from '../../shared/model/faults.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { searchBy } from '../../shared/registry/search/search-persons.ts';
import { journal } from '../../shared/storage/journal/journal.ts';
import { persons } from '../../shared/storage/persons/persons.ts';

// With names every person is read, too: as many as one batch takes.
const mostMatches = { uins: 1000, persons: 100 };
const search = searchBy(personIndexes);
const tooMany = (message: string) => refused('tooManyMatches', message);
const onUnbuilt = (index: string, error: unknown) =>
  logFault(faultLogged, new Fault('indexUnbuilt', { index }, error), { operation: findPersons.operation });

export const handler = serve(findPersons, [persons, journal], async (request, tools) => {
  const { query, attributes } = request;
  const { persons, settings } = tools;
  const { names, offset = 0 } = query;
  const most = names === undefined ? mostMatches.uins : mostMatches.persons;
  const { limit = most } = query;
  if (limit > most) throw new Refusal('invalidParameter', `limit in the query must be from 1 to ${most} with names`);
  const wanted = parseSearch(attributes, settings.extraAttributes);
  refusePurposeless(request, tools);
  const whole = query.limit === undefined ? most : undefined;
  const uins = await search(wanted, whole, { ...tools, tooMany, onUnbuilt });
  const page = uins.sort().slice(offset, offset + limit);
  const asked = { by: Object.keys(wanted), ...(names && toldNames(names, settings.extraAttributes)) };
  // Who finds nobody has learnt something, too: by a UIN, of that person.
  const nobody = [{ ...asked, ...(wanted.uin !== undefined && { uin: String(wanted.uin) }) }];
  const told = page.length === 0 ? nobody : page.map((uin) => ({ uin, ...asked }));
  const noted = noteAnswer(request, tools, told);
  if (names === undefined) {
    await noted;
    return ok(page);
  }
  const [found] = await Promise.all([persons.getMany(page, storedNames(names, settings.extraAttributes)), noted]);
  const shown = page.flatMap((uin) => {
    const person = found.get(uin);
    return person === undefined ? [] : [selectAttributes(person, names, settings.extraAttributes)];
  });
  if (answerBytes(shown) <= largestAnswerBytes) return ok(shown);
  throw refused('answerTooLarge', 'the answer is over 5 MB: ask for fewer names, or for pages with a smaller limit');
});

function refused(refusal: 'answerTooLarge' | 'tooManyMatches', message: string): Refusal {
  addMetric('SearchesRefused');
  return new Refusal(refusal, message);
}
