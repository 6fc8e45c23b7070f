import { buckets } from '../../shared/contract/buckets.ts';
import { interfaceFiles } from '../../shared/contract/interface-files.ts';
import { scan, scannedPdf } from '../harness/document-files.ts';
import { mint } from './cost-scenes-persons.ts';
import type { Scene, Scenes } from './cost-stage.ts';

const kilobytes = ({ length }: Buffer): string => `${Math.round(length / 1024)} KB`;
/** The number of measured conversions is small, because each conversion takes about a second. */
const converted = 5;
const asked = 50;
const [a4, a4High] = [1654, 2339];

/** Each pair contains a stored format and a requested format. */
const pairs = [
  ['pdf', 'png'],
  ['pdf', 'jpeg'],
  ['pdf', 'tiff'],
  ['pdf', 'webp'],
  ['jpeg', 'pdf'],
  ['png', 'pdf'],
] as const;

export const documentScenes = {
  async readDocument(stage) {
    const files = {
      pdf: await scannedPdf(1, a4, a4High),
      jpeg: await scan(a4, a4High).jpeg().toBuffer(),
      png: await scan(a4, a4High).png().toBuffer(),
    };
    /**
     * Stores a file under several document types of a new person, so that each request converts a different document.
     * Returns the person's UIN.
     */
    const holder = async (stored: keyof typeof files, count: number): Promise<string> => {
      const uin = await mint(stage);
      for (let number = 0; number < count; number++)
        stage.world.s3.put(`${buckets.documents.documents}${uin}/type ${number}/-/scan`, files[stored]);
      return uin;
    };
    const given = (uin: string, format: string) => (number: number) => ({
      path: { uin },
      query: `doctype=type ${number}&format=${format}`,
    });
    const stored = await holder('pdf', 1);
    const scenes: Scene[] = [
      { of: `a page in its stored format (${kilobytes(files.pdf)})`, given: given(stored, 'pdf')(0), asked },
      { of: 'a page as `jpeg`, from an earlier conversion', given: given(stored, 'jpeg')(0), asked },
    ];
    for (const [from, to] of pairs) {
      const uin = await holder(from, converted + 1);
      scenes.push({ of: `${from} converted to \`${to}\``, given: given(uin, to), asked: converted });
    }
    return scenes;
  },
  publishKeys: async () => [{ given: {} }],
  readInterface: async () =>
    Object.keys(interfaceFiles).map((file) => ({ of: `\`${file}\``, given: { path: { file } }, asked })),
} as const satisfies Scenes;
