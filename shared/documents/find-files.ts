import { isSameKind, type PersonsFile, type StoredFile } from '../domain/documents/choose-document.ts';
import type { DocumentLink, DocumentPlace } from '../domain/documents/document-place.ts';
import { inParts } from '../domain/in-parts.ts';

type Uins = readonly [string, ...string[]];

interface Finding {
  readonly persons: { uinsOf(uin: string): Promise<{ readonly uins: Uins }> };
  readonly documents: { list(uin: string): Promise<StoredFile[]>; at(place: DocumentPlace): Promise<StoredFile[]> };
  readonly documentLinks: { list(uin: string): Promise<DocumentLink[]> };
}

const callsAtOnce = 10;

async function inTurns<Value, Result>(values: readonly Value[], read: (value: Value) => Promise<Result[]>) {
  const results: Result[] = [];
  for (const some of inParts(values, callsAtOnce)) results.push(...(await Promise.all(some.map(read))).flat());
  return results;
}

/**
 * Lists a person's files of one document type, under all UINs of the person. If `second` is given, also lists the files
 * of the second person. Otherwise, also lists the files of other persons that name this person as the second person.
 * @param own the UINs of the person, the current UIN first
 */
export async function findFiles(
  own: Uins,
  second: Uins | undefined,
  doctype: string,
  { persons, documents, documentLinks }: Finding,
): Promise<PersonsFile[]> {
  const current = new Map([own, second ?? own].flatMap((uins) => uins.map((uin) => [uin, Promise.resolve(uins[0])])));
  const personOf = (uin: string): Promise<string> => {
    const person = current.get(uin) ?? persons.uinsOf(uin).then(({ uins }) => uins[0]);
    current.set(uin, person);
    return person;
  };
  const isWanted = (one: DocumentPlace): boolean => isSameKind(one.doctype, doctype);
  const ofPersons = (files: readonly StoredFile[]): Promise<PersonsFile[]> =>
    inTurns(files.filter(isWanted), async (file) => {
      const [uin, secondaryUin] = await Promise.all([
        personOf(file.uin),
        file.secondaryUin && personOf(file.secondaryUin),
      ]);
      return [{ file, uin, secondaryUin, doctype: file.doctype }];
    });
  const [listed, links] = await Promise.all([
    inTurns([...new Set([...own, ...(second ?? [])])], documents.list),
    inTurns(second === undefined ? own : [], documentLinks.list),
  ]);
  const files = await ofPersons(listed);
  const others = links.filter((link) => isWanted(link) && !own.includes(link.uin));
  for (const some of inParts(others, callsAtOnce)) {
    files.push(...(await ofPersons(await inTurns(some, documents.at))));
    // The request is ambiguous if matching files belong to two persons.
    if (new Set(files.map(({ uin }) => uin)).size > 2) break;
  }
  return files;
}
