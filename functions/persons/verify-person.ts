import { verifyPerson } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { kindOf } from '../../shared/domain/persons/attributes.ts';
import { verifyExpressions } from '../../shared/domain/persons/compare-attributes.ts';
import { unknownAttribute } from '../../shared/domain/persons/parse-attributes.ts';
import { unknownPerson } from '../../shared/domain/persons/unknown-person.ts';
import { readAndRecord } from '../../shared/lambda/record-reads.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { journal } from '../../shared/storage/journal/store.ts';
import { persons } from '../../shared/storage/persons/store.ts';

export const handler = serve(verifyPerson, [persons, journal], async (request, tools) => {
  const { path, body } = request;
  const { extraAttributes } = tools.settings;
  const names = [...new Set(body.map(({ attributeName }) => attributeName))];
  const unknown = names.find((name) => kindOf(name, extraAttributes) === undefined);
  if (unknown !== undefined) throw unknownAttribute(unknown, extraAttributes);
  const person = await readAndRecord(request, tools, [{ uin: path.uin, names }], () =>
    tools.persons.get(path.uin, names),
  );
  if (person === undefined) throw unknownPerson(path.uin);
  return ok(verifyExpressions(person, body, extraAttributes));
});
