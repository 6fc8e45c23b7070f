import { readDocument } from '../../shared/contract/endpoints/documents-endpoints.ts';
import { createConverter } from '../../shared/documents/converter.ts';
import { findFiles } from '../../shared/documents/find-files.ts';
import { type DocumentFile, openDocument } from '../../shared/documents/open-document.ts';
import { replyWithDocument } from '../../shared/documents/reply-with-document.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import {
  chooseDocument,
  formerUinIn,
  otherPersonOf,
  type PersonsFile,
  unknownDocument,
} from '../../shared/domain/documents/choose-document.ts';
import { readFormat } from '../../shared/domain/documents/document-format.ts';
import { noSecondPerson } from '../../shared/domain/documents/document-place.ts';
import { unknownPerson } from '../../shared/domain/persons/unknown-person.ts';
import { addMetric } from '../../shared/lambda/emit-metrics.ts';
import { logError, logInfo } from '../../shared/lambda/logger.ts';
import { recordPersons, requirePurpose } from '../../shared/lambda/record-reads.ts';
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
  const { doctype } = query;
  const { persons, documents, renditions } = tools;
  const format = readFormat(query.format);
  requirePurpose(request, tools);
  const named = query.secondaryUin === noSecondPerson ? undefined : query.secondaryUin;
  const [own, second] = await Promise.all([persons.uinsOf(uin), named === undefined ? named : persons.uinsOf(named)]);
  const secondaryUin = second?.uins[0] ?? query.secondaryUin;
  const journaled = new Set<string>();
  async function record(people: readonly string[], document?: PersonsFile): Promise<void> {
    const rows = [...new Set(people)].map((one) => ({
      ...{ uin: one, doctype, formerUin: document && formerUinIn(document, one) },
    }));
    const unrecorded = rows.filter((row) => !journaled.has(JSON.stringify(row)));
    if (unrecorded.length > 0) await recordPersons(tools.journal.put, request, unrecorded, tools);
    for (const row of unrecorded) journaled.add(JSON.stringify(row));
  }
  async function choose(): Promise<[PersonsFile, ...PersonsFile[]]> {
    try {
      if (!own.isRegistered || own.uins[0] !== uin) throw unknownPerson(uin);
      return chooseDocument(await findFiles(own.uins, second?.uins, doctype, tools), { uin, doctype, secondaryUin });
    } catch (error) {
      // Record errors too, because an error response also reveals information about the persons in the request.
      if (error instanceof ClientError && journaled.size === 0) await record([uin, second?.uins[0] ?? uin]);
      throw error;
    }
  }
  async function find(): Promise<DocumentFile | undefined> {
    const chosen = await choose();
    // Record the document's second person too, even if the request did not name this person.
    await record([uin, otherPersonOf(chosen[0], uin) ?? uin], chosen[0]);
    const [first, ...others] = chosen;
    return openDocument([first.file, ...others.map(({ file }) => file)], format, documents);
  }
  // Look up the document again if its file was replaced during the first lookup.
  const file = (await find()) ?? (await find());
  if (file === undefined) throw unknownDocument(secondaryUin);
  return replyWithDocument(file, { ...query, format, headers }, { renditions, converter, ...callbacks });
});
