import { readPerson } from '../../shared/contract/endpoints/persons.ts';
import { toldNames } from '../../shared/domain/journal/told-names.ts';
import { selectAttributes, storedNames } from '../../shared/domain/persons/select-attributes.ts';
import { unknownPerson } from '../../shared/domain/persons/unknown-person.ts';
import { noteBeside } from '../../shared/lambda/note-reads.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { journal } from '../../shared/storage/journal/journal.ts';
import { persons } from '../../shared/storage/persons/persons.ts';

export const handler = serve(readPerson, [persons, journal], async (request, tools) => {
  const { uin } = request.path;
  const { attributeNames } = request.query;
  const { extraAttributes } = tools.settings;
  const about = [{ uin, ...toldNames(attributeNames, extraAttributes) }];
  const person = await noteBeside(request, tools, about, () =>
    tools.persons.get(uin, storedNames(attributeNames, extraAttributes)),
  );
  if (person === undefined) throw unknownPerson(uin);
  return ok(selectAttributes(person, attributeNames, extraAttributes));
});
