import { matchPerson } from '../../shared/contract/endpoints/persons.ts';
import { matchAttributes } from '../../shared/domain/persons/match-attributes.ts';
import { givenAttributes, parseAttribute } from '../../shared/domain/persons/parse-attributes.ts';
import { unknownPerson } from '../../shared/domain/persons/unknown-person.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { kindOf } from '../../shared/model/persons/attributes.ts';
import { persons } from '../../shared/storage/persons/persons.ts';

export const handler = serve(matchPerson, [persons], async ({ path, body }, { persons, settings }) => {
  const { extraAttributes } = settings;
  const entries = givenAttributes(body);
  const isKnown = (name: string) => kindOf(name, extraAttributes) !== undefined;
  const given = new Map(
    entries.map(([name, value]) => [name, isKnown(name) ? parseAttribute(name, value, extraAttributes) : undefined]),
  );
  const person = await persons.get(path.uin, [...given.keys()].filter(isKnown));
  if (person === undefined) throw unknownPerson(path.uin);
  return ok(matchAttributes(person, given));
});
