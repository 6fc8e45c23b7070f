import { readDocument } from '../../shared/contract/endpoints/documents.ts';
import { answerDocument } from '../../shared/documents/answer-document.ts';
import { createConverter } from '../../shared/documents/converter.ts';
import { openBest } from '../../shared/documents/open-best.ts';
import { chooseDocument } from '../../shared/domain/documents/choose-document.ts';
import { unknownPerson } from '../../shared/domain/persons/unknown-person.ts';
import { logFault, logInfo } from '../../shared/lambda/log.ts';
import { addMetric } from '../../shared/lambda/metrics.ts';
import { serveStream } from '../../shared/lambda/serve-stream.ts';
import { readFormat } from '../../shared/model/documents/document-format.ts';
import { documents } from '../../shared/storage/documents/documents.ts';
import { renditions } from '../../shared/storage/documents/renditions.ts';
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

export const handler = serveStream(
  readDocument,
  [persons, documents, renditions],
  async ({ path: { uin }, query, headers }, { persons, documents, renditions }) => {
    const format = readFormat(query.format);
    if ((await persons.get(uin, [])) === undefined) throw unknownPerson(uin);
    const owners = [uin, ...(query.secondaryUin === undefined ? [] : [query.secondaryUin])];
    const files = (await Promise.all(owners.map(documents.list))).flat();
    const chosen = chooseDocument(files, { uin, ...query });
    const file = await openBest(chosen, format, documents);
    return answerDocument(file, { ...query, format, headers }, { renditions, converter, hears });
  },
);
