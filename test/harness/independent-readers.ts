import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';

const run = promisify(execFile);

/** Whether qpdf and poppler are installed. Tests that read PDFs are skipped unless both programs are installed. */
export const canReadPdf = ['qpdf', 'pdftoppm'].every((tool) => spawnSync(tool, ['--version']).error === undefined);
if (!canReadPdf) console.warn('PDFs are not checked. Run apt-get install qpdf poppler-utils.');

interface RenderedPage {
  readonly width: number;
  readonly height: number;
  /** The proportion of the page's pixels that are not white. */
  readonly inkShare: number;
}

/** Returns the proportion of an image's pixels that are not white. */
export async function inkShareOf(image: Uint8Array): Promise<number> {
  const pixels = await sharp(image).flatten({ background: '#fff' }).greyscale().raw().toBuffer();
  return pixels.reduce((count, pixel) => count + (pixel < 250 ? 1 : 0), 0) / pixels.length;
}

/** Reads a PDF with two independent programs: qpdf checks it, and poppler renders its pages at 72 dots per inch. */
export async function readPdf(pdf: Uint8Array): Promise<RenderedPage[]> {
  const folder = mkdtempSync(join(tmpdir(), 'read-pdf-'));
  try {
    const file = join(folder, 'document.pdf');
    writeFileSync(file, pdf);
    // qpdf exits with 2 if it finds errors and with 3 if it finds warnings. execFile rejects both exit codes.
    await run('qpdf', ['--check', file]);
    const { stderr } = await run('pdftoppm', ['-r', '72', '-png', file, join(folder, 'page')]);
    if (stderr !== '') throw new Error(`poppler reports: ${stderr}`);
    const pages = readdirSync(folder).filter((name) => name.endsWith('.png'));
    return await Promise.all(
      pages.toSorted().map(async (name) => {
        const bytes = readFileSync(join(folder, name));
        const { width, height } = await sharp(bytes).metadata();
        return { width, height, inkShare: await inkShareOf(bytes) };
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
