import { findPersons } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { internalErrorLogged } from '../../shared/contract/log-lines.ts';
import { personIndexes } from '../../shared/contract/tables.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { InternalError } from '../../shared/domain/internal-errors.ts';
import { journaledNames } from '../../shared/domain/journal/journal-row.ts';
import { parseSearch } from '../../shared/domain/persons/parse-attributes.ts';
import { selectAttributes, storedNames } from '../../shared/domain/persons/select-attributes.ts';
import { addMetric } from '../../shared/lambda/emit-metrics.ts';
import { logError } from '../../shared/lambda/logger.ts';
import { recordMatches, rejectIgnoring, requirePurpose } from '../../shared/lambda/record-reads.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { maxResponseBytes, responseBytes } from '../../shared/lambda/reply-with-list.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { createSearch } from '../../shared/registry/search/search-persons.ts';
import { journal } from '../../shared/storage/journal/store.ts';
import { limits } from '../../shared/storage/limits/store.ts';
import { persons } from '../../shared/storage/persons/store.ts';

// A request with `names` also reads every matching person, so it is limited to one batch of 100 persons.
const maxMatches = { uins: 1000, persons: 100 };
const search = createSearch(personIndexes);
const onUnbuilt = (index: string, error: unknown) =>
  logError(internalErrorLogged, new InternalError('indexUnbuilt', { index }, error), {
    operation: findPersons.operation,
  });

export const handler = serve(findPersons, [persons, journal, limits], async (request, tools) => {
  const { query, attributes } = request;
  const { persons, settings } = tools;
  const { names, offset = 0, limit } = query;
  const maxLimit = names === undefined ? maxMatches.uins : maxMatches.persons;
  if (limit !== undefined && limit > maxLimit)
    throw new ClientError('invalidParameter', `limit in the query must be from 1 to ${maxLimit} with names`);
  const most = limit === undefined ? maxLimit : offset + limit;
  if (most > maxMatches.uins) {
    const message = `offset and limit in the query must add up to at most ${maxMatches.uins}: give more attributes, so that fewer persons match`;
    throw new ClientError('invalidParameter', message);
  }
  const wanted = parseSearch(attributes, settings.extraAttributes);
  requirePurpose(request, tools);
  const maxMatchCount = limit === undefined ? maxLimit : undefined;
  const [{ uins, tooMany }] = await Promise.all([
    search(wanted, maxMatchCount, { ...tools, onUnbuilt }),
    wanted.uin ?? rejectIgnoring(request, most, tools),
  ]);
  // Record persons before the offset too, because the page reveals that they match. An error reveals that all counted
  // persons match, so record all of them.
  const matches = tooMany === undefined ? uins.sort().slice(0, most) : uins;
  const by = Object.keys(wanted);
  const read = names && journaledNames(names, settings.extraAttributes);
  // Record searches without matches too, because even an empty result reveals information about persons. If the search
  // contains a UIN, the journal row contains this UIN.
  const noMatch = [{ by, ...read, ...(wanted.uin !== undefined && { uin: String(wanted.uin) }) }];
  const details = matches.length === 0 ? noMatch : matches.map((uin, at) => ({ uin, by, ...(at >= offset && read) }));
  const journaled = recordMatches(request, details, most, tools);
  if (tooMany !== undefined) {
    await journaled;
    throw refused('tooManyMatches', tooMany);
  }
  const page = matches.slice(offset);
  if (names === undefined) {
    await journaled;
    return ok(page);
  }
  const [found] = await Promise.all([persons.getMany(page, storedNames(names, settings.extraAttributes)), journaled]);
  const shown = page.flatMap((uin) => {
    const person = found.get(uin);
    return person === undefined ? [] : [selectAttributes(person, names, settings.extraAttributes)];
  });
  if (responseBytes(shown) <= maxResponseBytes) return ok(shown);
  throw refused('answerTooLarge', 'the response exceeds 5 MB: request fewer names or use a smaller limit');
});

function refused(refusal: 'answerTooLarge' | 'tooManyMatches', message: string): ClientError {
  addMetric('SearchesRefused');
  return new ClientError(refusal, message);
}
