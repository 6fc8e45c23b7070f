import { readDocument } from '../../shared/contract/endpoints/documents-endpoints.ts';
import { createConverter } from '../../shared/documents/converter.ts';
import { type DocumentFile, openDocument } from '../../shared/documents/open-document.ts';
import { replyWithDocument } from '../../shared/documents/reply-with-document.ts';
import {
  chooseDocument,
  isSameKind,
  otherPersonOf,
  type StoredFile,
  unknownDocument,
} from '../../shared/domain/documents/choose-document.ts';
import { readFormat } from '../../shared/domain/documents/document-format.ts';
import { noSecondPerson } from '../../shared/domain/documents/document-place.ts';
import { inParts } from '../../shared/domain/in-parts.ts';
import { unknownPerson } from '../../shared/domain/persons/unknown-person.ts';
import { addMetric } from '../../shared/lambda/emit-metrics.ts';
import { logError, logInfo } from '../../shared/lambda/logger.ts';
import type { ToolsOf } from '../../shared/lambda/open-tools.ts';
import { readAndRecord, recordPersons } from '../../shared/lambda/record-reads.ts';
import { serveStream } from '../../shared/lambda/serve-stream.ts';
import { documentLinks } from '../../shared/storage/documents/document-links.ts';
import { renditions } from '../../shared/storage/documents/renditions.ts';
import { documents } from '../../shared/storage/documents/store.ts';
import { journal } from '../../shared/storage/journal/store.ts';
import { persons } from '../../shared/storage/persons/store.ts';

const converter = createConverter();
// Starts the conversion process while Lambda initializes the function.
converter.warmUp();
const callbacks = {
  onConverted(milliseconds: number) {
    logInfo('converted', { operation: readDocument.operation, milliseconds });
    addMetric('ConversionTime', milliseconds);
  },
  onNotStored: (error: unknown) => logError('rendition not stored', error, { operation: readDocument.operation }),
};

const stores = [persons, documents, documentLinks, renditions, journal] as const;

export const handler = serveStream(readDocument, stores, async (request, tools) => {
  const { path, query, headers } = request;
  const { uin } = path;
  const { doctype, secondaryUin } = query;
  const { documents, renditions } = tools;
  const format = readFormat(query.format);
  const second = secondaryUin === noSecondPerson ? undefined : secondaryUin;
  const journaled = new Set([uin, second ?? uin]);
  const about = [...journaled].map((owner) => ({ uin: owner, doctype }));
  const person = await readAndRecord(request, tools, about, () => tools.persons.get(uin, []));
  if (person === undefined) throw unknownPerson(uin);
  const find = async (): Promise<DocumentFile | undefined> => {
    const ofOthers = secondaryUin === undefined ? linked(uin, doctype, tools) : documents.list(secondaryUin);
    const files = (await Promise.all([documents.list(uin), ofOthers])).flat();
    const chosen = chooseDocument(files, { uin, ...query });
    const other = otherPersonOf(chosen[0], uin);
    // The document also contains data about a second person, whom the request did not name.
    if (other !== undefined && !journaled.has(other)) {
      await recordPersons(request, tools, [{ uin: other, doctype }]);
      journaled.add(other);
    }
    return openDocument(chosen, format, documents);
  };
  // A concurrent merge may have moved the file during the first lookup.
  const file = (await find()) ?? (await find());
  if (file === undefined) throw unknownDocument(secondaryUin);
  return replyWithDocument(file, { ...query, format, headers }, { renditions, converter, callbacks: callbacks });
});

type Linking = ToolsOf<typeof readDocument, [typeof documents, typeof documentLinks]>;

const placesAtOnce = 10;

/** Lists documents of this type that name the person but are stored under another person. Skips links without files. */
async function linked(uin: string, doctype: string, { documentLinks, documents }: Linking): Promise<StoredFile[]> {
  const links = (await documentLinks.list(uin)).filter((link) => isSameKind(link.doctype, doctype));
  const files: StoredFile[] = [];
  for (const some of inParts(links, placesAtOnce)) {
    files.push(...(await Promise.all(some.map(documents.at))).flat());
    // The request is ambiguous if matching files belong to two persons.
    if (new Set(files.map((file) => file.uin)).size > 1) break;
  }
  return files;
}
