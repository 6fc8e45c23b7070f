import { createRequire } from 'node:module';

/** A parsed email: the fields of mailparser's result that the tests use. */
interface ReadMail {
  readonly headers: ReadonlyMap<string, unknown>;
  readonly headerLines: readonly { readonly key: string; readonly line: string }[];
  readonly subject?: string;
  readonly from?: { readonly value: readonly { readonly address?: string }[] };
  readonly to?: { readonly value: readonly { readonly address?: string }[] };
  readonly cc?: unknown;
  readonly bcc?: unknown;
  readonly date?: Date;
  readonly text?: string;
  readonly html?: string | false;
  readonly attachments: readonly {
    readonly filename?: string;
    readonly contentType: string;
    readonly content: Buffer;
  }[];
}

// mailparser, a dependency of aws-ses-v2-local, has no type declarations.
const { simpleParser } = createRequire(import.meta.url)('mailparser') as {
  simpleParser(source: Uint8Array): Promise<ReadMail>;
};

export const readMail = (raw: Uint8Array): Promise<ReadMail> => simpleParser(raw);
