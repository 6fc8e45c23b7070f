import { expectError } from '../client.ts';
import type { Deployment } from '../deployment.ts';
import { ensure, equal, requirementsOf, Skipped } from '../requirement.ts';

const mediaTypes = { pdf: 'application/pdf', jpeg: 'image/jpeg', png: 'image/png', tiff: 'image/tiff' } as const;

async function read({ call, storedDocument }: Deployment, format: string, method = 'GET', headers = {}) {
  const { uin, doctype } = storedDocument();
  return call(method, `/v1/persons/${uin}/document`, { query: { doctype, format }, headers });
}

export const documents = [
  ...requirementsOf('4.1 GET /v1/persons/{uin}/document', {
    'reading a document returns 200 and the document, converted to the requested format if necessary': async (
      deployment,
    ) => {
      for (const [format, mediaType] of Object.entries(mediaTypes)) {
        const { status, headers, text } = await read(deployment, format);
        equal(`status and Content-Type of ${format}`, [status, headers.get('content-type')], [200, mediaType]);
        ensure(text.length > 100, `the ${format} has only ${text.length} characters`);
      }
    },
    'a document about two persons can be read with the UIN of either person and the other UIN as `secondaryUin`':
      async ({ call, storedDocument }) => {
        const { uin, doctype, secondaryUin } = storedDocument();
        if (secondaryUin === undefined)
          throw new Skipped('needs a stored document about two persons: --document UIN/DOCTYPE/SECONDARYUIN');
        const from = async (one: string, other: string) => {
          const query = { doctype, format: 'pdf', secondaryUin: other };
          const { status, headers } = await call('GET', `/v1/persons/${one}/document`, { query });
          return [status, headers.get('content-type'), headers.get('etag')];
        };
        const [first, second] = [await from(uin, secondaryUin), await from(secondaryUin, uin)];
        equal('status and Content-Type', first.slice(0, 2), [200, mediaTypes.pdf]);
        equal('status, Content-Type and ETag for the second person', second, first);
      },
  }),
  ...requirementsOf('client guide: documents', {
    'an unsupported format returns 415': async (deployment) => void expectError(await read(deployment, 'docx'), 415),
    'HEAD returns the same headers as GET but no body': async (deployment) => {
      const [head, get] = [await read(deployment, 'pdf', 'HEAD'), await read(deployment, 'pdf')];
      const of = ({ status, headers }: typeof get) => [status, headers.get('content-type'), headers.get('etag')];
      equal('status, Content-Type and ETag', of(head), of(get));
      equal('body', head.text, '');
    },
    'an unchanged document returns 304': async (deployment) => {
      const etag = (await read(deployment, 'pdf')).headers.get('etag') ?? '';
      equal('status', (await read(deployment, 'pdf', 'GET', { 'if-none-match': etag })).status, 304);
    },
  }),
];
