import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { synthesizeLocally } from '../../infra/build/synthesize.ts';
import { readTemplate } from '../../infra/local/aws/template/template.ts';
import { startLocalStack } from '../../infra/local/start.ts';
import { createCall } from '../harness/call.ts';
import { openDocuments } from '../harness/document-client.ts';
import { makeDocuments, scan, scannedPdf } from '../harness/document-files.ts';
import { textPdf } from '../harness/pdf-files.ts';
import type { World } from '../harness/world.ts';
import type { Measured } from './documents-process.ts';
import { whole } from './figures.ts';
import { type ReportRow, report } from './report.ts';
import { progressBar } from './terminal.ts';

// Measures the bundled document function with embedded servers, in a fresh process for each row of the table. Prints a
// table and never fails because of slow figures. `npm run bench -- documents`

const [a4, a4High] = [1654, 2339];
const { fax, gif, jpeg2000 } = await makeDocuments();
const sheet = (seed: number) => scan(a4, a4High, seed);

/** Returns the same document with different bytes, so that no rendition of it is stored yet. */
const marked = (file: Buffer, run: number): Buffer => Buffer.concat([file, Buffer.from(`\n%${run}\n`)]);

const rows: readonly (readonly [what: string, format: string, file: (run: number) => Promise<Buffer>])[] = [
  ['PDF, scanned A4', 'png', async (run) => scannedPdf(1, a4, a4High + run)],
  ['PDF, scanned A4', 'jpeg', async (run) => scannedPdf(1, a4, a4High + run)],
  ['PDF, scanned A4', 'tiff', async (run) => scannedPdf(1, a4, a4High + run)],
  ['PDF, scanned A4', 'webp', async (run) => scannedPdf(1, a4, a4High + run)],
  ['PDF, 5 scanned A4', 'jpeg', async (run) => scannedPdf(5, a4, a4High + run)],
  ['PDF, text', 'png', async (run) => marked(textPdf(), run)],
  ['PDF, 20 pages of text', 'jpeg', async (run) => marked(textPdf(20), run)],
  ['PDF, text', 'pdf', async (run) => marked(textPdf(), run)],
  ['JPEG, A4', 'pdf', async (run) => sheet(run).jpeg().toBuffer()],
  ['JPEG, A4', 'png', async (run) => sheet(run).jpeg().toBuffer()],
  ['JPEG, A4', 'webp', async (run) => sheet(run).jpeg().toBuffer()],
  ['PNG, A4', 'pdf', async (run) => sheet(run).png().toBuffer()],
  ['PNG, A4', 'jpeg', async (run) => sheet(run).png().toBuffer()],
  ['PNG, A4', 'tiff', async (run) => sheet(run).png().toBuffer()],
  ['TIFF, 3 fax pages', 'pdf', async (run) => marked(fax, run)],
  ['TIFF, 3 fax pages', 'png', async (run) => marked(fax, run)],
  ['WebP, A4', 'pdf', async (run) => sheet(run).webp().toBuffer()],
  ['GIF, small', 'pdf', async (run) => marked(gif, run)],
  ['JPEG 2000, small', 'png', async (run) => marked(jpeg2000, run)],
  ['JPEG 2000, small', 'pdf', async (run) => marked(jpeg2000, run)],
];

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const assembly = await synthesizeLocally({ outdir: join(folder, 'assembly') });
const stack = await startLocalStack({ assembly, onLog: () => {} });
try {
  const { outputs } = stack;
  const token = await stack.issueToken({ scope: 'uin.generate' });
  const documents = openDocuments({ outputs, token, call: createCall(outputs.baseUrl, token) } as World);
  const { resources, assets } = readTemplate(assembly);
  const lambda = [...resources.values()].find(
    ({ type, constructId }) => type === 'AWS::Lambda::Function' && constructId === 'readDocument',
  );
  const code = assets.get(String((lambda?.properties.Code as { S3Key?: unknown } | undefined)?.S3Key)) ?? '';
  const env = {
    PATH: process.env.PATH,
    MALLOC_ARENA_MAX: '2',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_ENDPOINT_URL_S3: outputs.s3Endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: outputs.dynamodbEndpoint,
    PERSONS_TABLE: outputs.resources.tables.persons,
    DOCUMENTS_BUCKET: outputs.resources.buckets.documents,
  };

  /** Requests four files of one kind from a fresh function process. */
  async function measure(format: string, file: (run: number) => Promise<Buffer>): Promise<Measured> {
    const uins = await Promise.all(
      [1, 2, 3, 4].map(async (run) => {
        const uin = await documents.newPerson();
        await documents.put(uin, 'birth/-/certificate', await file(run));
        return uin;
      }),
    );
    const child = fork(join(import.meta.dirname, 'documents-process.ts'), { env, execArgv: [], silent: true });
    child.send({ entry: pathToFileURL(join(code, 'index.mjs')).href, uins, format });
    const [measured] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([status]) => {
        throw new Error(`the process ended early with ${status}`);
      }),
    ]);
    child.kill();
    return measured as Measured;
  }

  const found: ReportRow[] = [];
  const figures: Measured[] = [];
  const bar = progressBar('documents', rows.length);
  for (const [what, format, file] of rows) {
    const measured = await measure(format, file);
    const { first, warm, again, bytes, peakMegabytes, status } = measured;
    figures.push(measured);
    found.push({
      stored: what,
      asked: `${format}${status === 200 ? '' : ` (${status})`}`,
      'first ms': whole(first),
      'warm ms': whole(warm),
      'again ms': whole(again),
      KB: whole(bytes / 1024),
      'peak MB': whole(peakMegabytes),
    });
    bar.at(found.length);
  }
  bar.end();
  await report(
    'documents',
    'one fresh process per row: the first request, the median of three more requests, and the last request repeated',
    found,
    figures,
  );
} finally {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}
