import { readDocument } from '../../shared/contract/endpoints/documents.ts';
import { answerDocument } from '../../shared/documents/answer-document.ts';
import { createConverter } from '../../shared/documents/converter.ts';
import { openBest } from '../../shared/documents/open-best.ts';
import { chooseDocument } from '../../shared/domain/documents/choose-document.ts';
import { unknownPerson } from '../../shared/domain/persons/unknown-person.ts';
import { logFault, logInfo } from '../../shared/lambda/log.ts';
import { addMetric } from '../../shared/lambda/metrics.ts';
import { noteBeside } from '../../shared/lambda/note-reads.ts';
import { serveStream } from '../../shared/lambda/serve-stream.ts';
import { readFormat } from '../../shared/model/documents/document-format.ts';
import { documents } from '../../shared/storage/documents/documents.ts';
import { renditions } from '../../shared/storage/documents/renditions.ts';
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

export const handler = serveStream(readDocument, [persons, documents, renditions, journal], async (request, tools) => {
  const { path, query, headers } = request;
  const { uin } = path;
  const { documents, renditions } = tools;
  const format = readFormat(query.format);
  const owners = [...new Set([uin, query.secondaryUin ?? uin])];
  const about = owners.map((owner) => ({ uin: owner, doctype: query.doctype }));
  const person = await noteBeside(request, tools, about, () => tools.persons.get(uin, []));
  if (person === undefined) throw unknownPerson(uin);
  const files = (await Promise.all(owners.map(documents.list))).flat();
  const chosen = chooseDocument(files, { uin, ...query });
  const file = await openBest(chosen, format, documents);
  return answerDocument(file, { ...query, format, headers }, { renditions, converter, hears });
});
