import { matchPerson } from '../../shared/contract/endpoints/persons.ts';
import { matchAttributes } from '../../shared/domain/persons/match-attributes.ts';
import { parseAttribute } from '../../shared/domain/persons/parse-attributes.ts';
import { ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { kindOf } from '../../shared/model/persons/attributes.ts';
import { Refusal } from '../../shared/model/refusals.ts';
import { persons } from '../../shared/storage/persons/persons.ts';

export const handler = serve(matchPerson, [persons], async ({ path, body }, { persons, settings }) => {
  const { extraAttributes } = settings;
  const names = Object.keys(body);
  if (names.length === 0) throw new Refusal('invalidBody', 'the body must hold at least one attribute');
  const known = names.filter((name) => kindOf(name, extraAttributes) !== undefined);
  const given = new Map(
    names.map((name) => [name, known.includes(name) ? parseAttribute(name, body[name], extraAttributes) : undefined]),
  );
  const person = await persons.get(path.uin, known);
  if (person === undefined) throw new Refusal('unknownPerson', 'no person has this UIN');
  return ok(matchAttributes(person, given));
});
