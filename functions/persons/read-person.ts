import { readPerson } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { journaledNames } from '../../shared/domain/journal/journal-row.ts';
import { selectAttributes, storedNames } from '../../shared/domain/persons/select-attributes.ts';
import { unknownPerson } from '../../shared/domain/persons/unknown-person.ts';
import { readAndRecord } from '../../shared/lambda/record-reads.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { journal } from '../../shared/storage/journal/store.ts';
import { persons } from '../../shared/storage/persons/store.ts';

export const handler = serve(readPerson, [persons, journal], async (request, tools) => {
  const { uin } = request.path;
  const { attributeNames } = request.query;
  const { extraAttributes } = tools.settings;
  const about = [{ uin, ...journaledNames(attributeNames, extraAttributes) }];
  const person = await readAndRecord(request, tools, about, () =>
    tools.persons.get(uin, storedNames(attributeNames, extraAttributes)),
  );
  if (person === undefined) throw unknownPerson(uin);
  return ok(selectAttributes(person, attributeNames, extraAttributes));
});
