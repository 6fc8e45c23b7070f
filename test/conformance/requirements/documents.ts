import { refused } from '../client.ts';
import type { Deployment } from '../deployment.ts';
import { holds, same, sentencesOf } from '../sentence.ts';

const mediaTypes = { pdf: 'application/pdf', jpeg: 'image/jpeg', png: 'image/png', tiff: 'image/tiff' } as const;

async function read({ call, storedDocument }: Deployment, format: string, method = 'GET', headers = {}) {
  const { uin, doctype } = storedDocument();
  return call(method, `/v1/persons/${uin}/document`, { query: { doctype, format }, headers });
}

export const documents = [
  ...sentencesOf('4.1 GET /v1/persons/{uin}/document', {
    'answers 200 and the document, converted where it is not stored in the format': async (deployment) => {
      for (const [format, mediaType] of Object.entries(mediaTypes)) {
        const { status, headers, text } = await read(deployment, format);
        same(`status and Content-Type of ${format}`, [status, headers.get('content-type')], [200, mediaType]);
        holds(text.length > 100, `the ${format} is of ${text.length} characters`);
      }
    },
  }),
  ...sentencesOf('our page: documents', {
    'a format that is not given out is 415': async (deployment) => void refused(await read(deployment, 'docx'), 415),
    'HEAD is answered as GET is, without the body': async (deployment) => {
      const [head, get] = [await read(deployment, 'pdf', 'HEAD'), await read(deployment, 'pdf')];
      const of = ({ status, headers }: typeof get) => [status, headers.get('content-type'), headers.get('etag')];
      same('status, Content-Type and ETag', of(head), of(get));
      same('the body', head.text, '');
    },
    'what has not changed is answered 304': async (deployment) => {
      const etag = (await read(deployment, 'pdf')).headers.get('etag') ?? '';
      same('status', (await read(deployment, 'pdf', 'GET', { 'if-none-match': etag })).status, 304);
    },
  }),
];
