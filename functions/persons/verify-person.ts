import { verifyPerson } from '../../shared/contract/endpoints/persons.ts';
import { unknownAttribute } from '../../shared/domain/persons/parse-attributes.ts';
import { unknownPerson } from '../../shared/domain/persons/unknown-person.ts';
import { verifyExpressions } from '../../shared/domain/persons/verify-expressions.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { kindOf } from '../../shared/model/persons/attributes.ts';
import { persons } from '../../shared/storage/persons/persons.ts';

export const handler = serve(verifyPerson, [persons], async ({ path, body }, { persons, settings }) => {
  const { extraAttributes } = settings;
  const names = [...new Set(body.map(({ attributeName }) => attributeName))];
  const unknown = names.find((name) => kindOf(name, extraAttributes) === undefined);
  if (unknown !== undefined) throw unknownAttribute(unknown, extraAttributes);
  const person = await persons.get(path.uin, names);
  if (person === undefined) throw unknownPerson(path.uin);
  return ok(verifyExpressions(person, body, extraAttributes));
});
