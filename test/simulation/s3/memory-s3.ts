import { createHash } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';

const $metadata = { httpStatusCode: 404 };

const bytesOf = (body: unknown): Buffer =>
  typeof body === 'string' ? Buffer.from(body) : Buffer.from((body ?? []) as Uint8Array);

const bodyOf = (bytes: Buffer) => ({
  transformToByteArray: async () => new Uint8Array(bytes),
  transformToString: async (encoding?: BufferEncoding) => bytes.toString(encoding ?? 'utf8'),
});

/** S3 in memory, as far as small objects go: put, get, head and delete by key, with `If-None-Match: *`. */
export class MemoryS3 {
  readonly objects = new Map<string, { readonly bytes: Buffer; readonly etag: string }>();

  async send(command: object): Promise<object> {
    const { input } = command as { input: { Bucket?: string; Key?: string; Body?: unknown; IfNoneMatch?: string } };
    const name = `${input.Bucket}/${input.Key}`;
    const found = this.objects.get(name);
    if (command instanceof PutObjectCommand) {
      if (input.IfNoneMatch === '*' && found !== undefined)
        throw new S3ServiceException({
          ...{ name: 'PreconditionFailed', $fault: 'client', message: 'It is there.' },
          $metadata: { httpStatusCode: 412 },
        });
      const bytes = bytesOf(input.Body);
      const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
      this.objects.set(name, { bytes, etag });
      return { ETag: etag };
    }
    if (command instanceof DeleteObjectCommand) {
      this.objects.delete(name);
      return {};
    }
    if (!(command instanceof GetObjectCommand || command instanceof HeadObjectCommand))
      throw new Error(`the simulated S3 does not know ${command.constructor.name}`);
    if (found === undefined) throw new NoSuchKey({ message: 'The specified key does not exist.', $metadata });
    const facts = { ETag: found.etag, ContentLength: found.bytes.length };
    return command instanceof GetObjectCommand ? { ...facts, Body: bodyOf(found.bytes) } : facts;
  }
}
