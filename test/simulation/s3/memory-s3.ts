import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  NoSuchKey,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { laterThan, type Marker, noVersion, versionEntry, withFolders } from './listing.ts';

/** A version of an object, or a delete marker if `bytes` is undefined. */
interface Version {
  readonly number: number;
  readonly bytes: Buffer | undefined;
  readonly etag: string;
}

interface Input extends Marker {
  readonly Key?: string;
  readonly VersionId?: string | undefined;
  readonly Body?: unknown;
  readonly IfNoneMatch?: string;
  readonly IfMatch?: string;
  readonly Range?: string;
  readonly Prefix?: string;
  readonly Delimiter?: string;
  readonly StartAfter?: string;
  readonly ContinuationToken?: string;
}

interface MemoryS3Facts {
  /** Whether the bucket keeps replaced and deleted objects as versions. */
  readonly isVersioned?: boolean;
  /** Returns the maximum number of entries on a list page. */
  readonly pageKeys?: () => number;
  /** A callback that is called for each new object. `versionId` is undefined in buckets without versioning. */
  readonly onPut?: (key: string, versionId: string | undefined, bytes: Buffer) => void;
}

const bytesOf = (body: unknown): Buffer =>
  typeof body === 'string' ? Buffer.from(body) : Buffer.from((body ?? []) as Uint8Array);

const bodyOf = (bytes: Buffer) =>
  Object.assign(Readable.from([bytes]), {
    transformToByteArray: async () => new Uint8Array(bytes),
    transformToString: async (encoding?: BufferEncoding) => bytes.toString(encoding ?? 'utf8'),
  });

const failed = (name: string, httpStatusCode: number): Error =>
  new S3ServiceException({ name, $fault: 'client', message: name, $metadata: { httpStatusCode } });
const missing = (): Error =>
  new NoSuchKey({ message: 'The object does not exist.', $metadata: { httpStatusCode: 404 } });

/**
 * A simulated S3 in memory. The class supports the operations that the registry uses: objects, versions, ranges and
 * lists.
 */
export class MemoryS3 {
  /** The versions of each key, ordered from oldest to newest. */
  readonly #versions = new Map<string, Version[]>();
  readonly #facts: MemoryS3Facts;
  #puts = 0;

  constructor(facts: MemoryS3Facts = {}) {
    this.#facts = facts;
  }

  objects(prefix = ''): [key: string, bytes: Buffer][] {
    return this.#sorted(prefix).flatMap(([key, versions]) => {
      const bytes = versions.at(-1)?.bytes;
      return bytes === undefined ? [] : [[key, bytes]];
    });
  }

  #sorted = (prefix: string) =>
    [...this.#versions].filter(([key]) => key.startsWith(prefix)).toSorted(([one], [other]) => (one < other ? -1 : 1));

  put(key: string, body: unknown): { readonly etag: string; readonly versionId: string | undefined } {
    const bytes = bytesOf(body);
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    const versionId = this.#add(key, { bytes, etag });
    this.#facts.onPut?.(key, versionId, bytes);
    return { etag, versionId };
  }

  #add(key: string, version: Omit<Version, 'number'>): string | undefined {
    const { isVersioned } = this.#facts;
    const number = this.#puts++;
    this.#versions.set(key, [...(isVersioned ? (this.#versions.get(key) ?? []) : []), { number, ...version }]);
    return isVersioned ? `v${number}` : undefined;
  }

  #find({ Key = '', VersionId, IfMatch }: Input): Version & { readonly bytes: Buffer } {
    const versions = this.#versions.get(Key) ?? [];
    const found = VersionId === undefined ? versions.at(-1) : versions.find(({ number }) => `v${number}` === VersionId);
    const { bytes } = found ?? {};
    if (found === undefined || bytes === undefined) throw missing();
    if (IfMatch !== undefined && IfMatch !== found.etag) throw failed('PreconditionFailed', 412);
    return { ...found, bytes };
  }

  #delete({ Key = '', VersionId }: Input): object {
    const left = (this.#versions.get(Key) ?? []).filter(({ number }) => `v${number}` !== VersionId);
    if (VersionId !== undefined && left.length > 0) this.#versions.set(Key, left);
    else if (VersionId === undefined && this.#facts.isVersioned) this.#add(Key, { bytes: undefined, etag: '' });
    else this.#versions.delete(Key);
    return {};
  }

  #page = <Entry>(entries: readonly Entry[]) => {
    const page = entries.slice(0, Math.max(1, this.#facts.pageKeys?.() ?? 1000));
    return { page, isTruncated: page.length < entries.length };
  };

  #list({ Prefix = '', Delimiter, StartAfter, ContinuationToken }: Input): object {
    const after = ContinuationToken ?? StartAfter ?? '';
    const present = this.#sorted(Prefix).flatMap(([Key, versions]) => {
      const { bytes, etag, number } = versions.at(-1) ?? {};
      // The values of `LastModified` are sequence numbers, not times. Only their order matters.
      return bytes === undefined
        ? []
        : [{ Key, Size: bytes.length, ETag: etag, LastModified: new Date(Number(number)) }];
    });
    const entries = withFolders(present, Prefix, Delimiter).filter(({ name }) => name > after);
    const { page, isTruncated } = this.#page(entries);
    const Contents = page.flatMap(({ object }) => object ?? []);
    const CommonPrefixes = page.flatMap(({ name, object }) => (object === undefined ? { Prefix: name } : []));
    const NextContinuationToken = isTruncated ? page.at(-1)?.name : undefined;
    return { Contents, CommonPrefixes, IsTruncated: isTruncated, NextContinuationToken };
  }

  #listVersions({ Prefix, ...marker }: Input): object {
    const all = this.#sorted(Prefix ?? '').flatMap(([key, versions]) =>
      versions.toReversed().map((version) => versionEntry(key, version, this.#facts.isVersioned === true)),
    );
    const { page, isTruncated } = this.#page(all.filter((entry) => laterThan(entry, marker)));
    const { true: Versions = [], false: DeleteMarkers = [] } = Object.groupBy(page, ({ hasContent }) =>
      String(hasContent),
    );
    const { Key: NextKeyMarker, VersionId: NextVersionIdMarker } = page.at(-1) ?? {};
    return { Versions, DeleteMarkers, IsTruncated: isTruncated, NextKeyMarker, NextVersionIdMarker };
  }

  async send(command: object): Promise<object> {
    const { input: given } = command as { input: Input };
    // In buckets without versioning, the version id of every object is `null`.
    const input = given.VersionId === noVersion ? { ...given, VersionId: undefined } : given;
    const { Key = '' } = input;
    if (command instanceof PutObjectCommand) {
      const isThere = this.#versions.get(Key)?.at(-1)?.bytes !== undefined;
      if (input.IfNoneMatch === '*' && isThere) throw failed('PreconditionFailed', 412);
      return { ETag: this.put(Key, input.Body).etag };
    }
    if (command instanceof DeleteObjectCommand) return this.#delete(input);
    if (command instanceof ListObjectsV2Command) return this.#list(input);
    if (command instanceof ListObjectVersionsCommand) return this.#listVersions(input);
    if (!(command instanceof GetObjectCommand))
      throw new Error(`the simulated S3 does not support ${command.constructor.name}`);
    const { bytes, etag } = this.#find(input);
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(input.Range ?? '') ?? [];
    const part = from === undefined ? bytes : bytes.subarray(Number(from), Number(to) + 1);
    const range = from === undefined ? {} : { ContentRange: `bytes ${from}-${to}/${bytes.length}` };
    return { ETag: etag, ContentLength: part.length, ...range, Body: bodyOf(part) };
  }
}
