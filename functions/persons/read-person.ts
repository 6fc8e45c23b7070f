import { readPerson } from '../../shared/contract/endpoints/persons.ts';
import { selectAttributes, storedNames } from '../../shared/domain/persons/select-attributes.ts';
import { unknownPerson } from '../../shared/domain/persons/unknown-person.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { persons } from '../../shared/storage/persons/persons.ts';

export const handler = serve(readPerson, [persons], async ({ path, query }, { persons, settings }) => {
  const { extraAttributes } = settings;
  const person = await persons.get(path.uin, storedNames(query.attributeNames, extraAttributes));
  if (person === undefined) throw unknownPerson(path.uin);
  return ok(selectAttributes(person, query.attributeNames, extraAttributes));
});
