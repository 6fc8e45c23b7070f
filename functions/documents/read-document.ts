import { readDocument } from '../../shared/contract/endpoints/documents.ts';
import { createConverter } from '../../shared/documents/converter.ts';
import { type DocumentFile, openBest } from '../../shared/documents/open-document.ts';
import { answerDocument } from '../../shared/documents/reply-with-document.ts';
import {
  chooseDocument,
  isSameKind,
  otherOf,
  type StoredFile,
  unknownDocument,
} from '../../shared/domain/documents/choose-document.ts';
import { readFormat } from '../../shared/domain/documents/document-format.ts';
import { nobody } from '../../shared/domain/documents/document-place.ts';
import { inParts } from '../../shared/domain/in-parts.ts';
import { unknownPerson } from '../../shared/domain/persons/unknown-person.ts';
import { addMetric } from '../../shared/lambda/emit-metrics.ts';
import { logFault, logInfo } from '../../shared/lambda/logger.ts';
import { noteAlso, noteBeside } from '../../shared/lambda/note-reads.ts';
import type { ToolsOf } from '../../shared/lambda/open-tools.ts';
import { serveStream } from '../../shared/lambda/serve-stream.ts';
import { documentLinks } from '../../shared/storage/documents/document-links.ts';
import { renditions } from '../../shared/storage/documents/renditions.ts';
import { documents } from '../../shared/storage/documents/store.ts';
import { journal } from '../../shared/storage/journal/journal.ts';
import { persons } from '../../shared/storage/persons/persons.ts';

const converter = createConverter();
// Its process starts while the function does.
converter.warm();
const hears = {
  converted(milliseconds: number) {
    logInfo('converted', { operation: readDocument.operation, milliseconds });
    addMetric('ConversionTime', milliseconds);
  },
  notKept: (error: unknown) => logFault('rendition not kept', error, { operation: readDocument.operation }),
};

const stores = [persons, documents, documentLinks, renditions, journal] as const;

export const handler = serveStream(readDocument, stores, async (request, tools) => {
  const { path, query, headers } = request;
  const { uin } = path;
  const { doctype, secondaryUin } = query;
  const { documents, renditions } = tools;
  const format = readFormat(query.format);
  const second = secondaryUin === nobody ? undefined : secondaryUin;
  const noted = new Set([uin, second ?? uin]);
  const about = [...noted].map((owner) => ({ uin: owner, doctype }));
  const person = await noteBeside(request, tools, about, () => tools.persons.get(uin, []));
  if (person === undefined) throw unknownPerson(uin);
  const look = async (): Promise<DocumentFile | undefined> => {
    const ofOthers = secondaryUin === undefined ? linked(uin, doctype, tools) : documents.list(secondaryUin);
    const files = (await Promise.all([documents.list(uin), ofOthers])).flat();
    const chosen = chooseDocument(files, { uin, ...query });
    const other = otherOf(chosen[0], uin);
    // It tells of that person, too, whom the request did not name.
    if (other !== undefined && !noted.has(other)) {
      await noteAlso(request, tools, [{ uin: other, doctype }]);
      noted.add(other);
    }
    return openBest(chosen, format, documents);
  };
  // A merge may have put it elsewhere meanwhile.
  const file = (await look()) ?? (await look());
  if (file === undefined) throw unknownDocument(secondaryUin);
  return answerDocument(file, { ...query, format, headers }, { renditions, converter, hears });
});

type Linking = ToolsOf<typeof readDocument, [typeof documents, typeof documentLinks]>;

const placesAtOnce = 10;

/** The files of a type that are stored under others and name the person. What is linked but gone is passed over. */
async function linked(uin: string, doctype: string, { documentLinks, documents }: Linking): Promise<StoredFile[]> {
  const links = (await documentLinks.list(uin)).filter((link) => isSameKind(link.doctype, doctype));
  const files: StoredFile[] = [];
  for (const some of inParts(links, placesAtOnce)) {
    files.push(...(await Promise.all(some.map(documents.at))).flat());
    // Those of two are enough to ask which is meant.
    if (new Set(files.map((file) => file.uin)).size > 1) break;
  }
  return files;
}
