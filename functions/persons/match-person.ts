import { matchPerson } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { journaledNames } from '../../shared/domain/journal/journal-row.ts';
import { kindOf } from '../../shared/domain/persons/attributes.ts';
import { matchAttributes } from '../../shared/domain/persons/compare-attributes.ts';
import { givenAttributes, parseAttribute } from '../../shared/domain/persons/parse-attributes.ts';
import { unknownPerson } from '../../shared/domain/persons/unknown-person.ts';
import { readAndRecord } from '../../shared/lambda/record-reads.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { journal } from '../../shared/storage/journal/store.ts';
import { persons } from '../../shared/storage/persons/store.ts';

export const handler = serve(matchPerson, [persons, journal], async (request, tools) => {
  const { path, body } = request;
  const { extraAttributes } = tools.settings;
  const entries = givenAttributes(body);
  const isKnown = (name: string) => kindOf(name, extraAttributes) !== undefined;
  const given = new Map(
    entries.map(([name, value]) => [name, isKnown(name) ? parseAttribute(name, value, extraAttributes) : undefined]),
  );
  const names = [...given.keys()];
  const about = [{ uin: path.uin, ...journaledNames(names, extraAttributes) }];
  const person = await readAndRecord(request, tools, about, () => tools.persons.get(path.uin, names.filter(isKnown)));
  if (person === undefined) throw unknownPerson(path.uin);
  return ok(matchAttributes(person, given));
});
