import { readPerson } from '../../shared/contract/endpoints/persons.ts';
import { selectAttributes } from '../../shared/domain/persons/select-attributes.ts';
import { unknownPerson } from '../../shared/domain/persons/unknown-person.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { kindOf } from '../../shared/model/persons/attributes.ts';
import { persons } from '../../shared/storage/persons/persons.ts';

export const handler = serve(readPerson, [persons], async ({ path, query }, { persons, settings }) => {
  const { extraAttributes } = settings;
  const stored = query.attributeNames.filter((name) => name !== 'uin' && kindOf(name, extraAttributes) !== undefined);
  const person = await persons.get(path.uin, stored);
  if (person === undefined) throw unknownPerson(path.uin);
  return ok(selectAttributes(person, query.attributeNames, extraAttributes));
});
