import { account } from '../aws/template/identifiers.ts';

/** What happened to an object in a bucket. */
export interface ObjectEvent {
  readonly bucket: string;
  readonly key: string;
  /** As S3 names it in a record: `ObjectCreated:Put`. */
  readonly eventName: string;
}

interface Answered {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly status: number;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const textOf = (xml: string): string =>
  xml.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? '');

// A bucket of the stack keeps versions: what is deleted gets a marker.
const deleted = 'ObjectRemoved:DeleteMarkerCreated';

/** What S3 has done to objects by a request that it has answered. */
export function objectEvents({ method, url, headers, body, status }: Answered): ObjectEvent[] {
  if (status < 200 || status > 299) return [];
  const { pathname, searchParams } = new URL(url, 'http://local');
  const [bucket = '', ...rest] = pathname.slice(1).split('/');
  const key = decodeURIComponent(rest.join('/'));
  if (bucket === '' || bucket === account) return [];
  if (method === 'POST' && searchParams.has('delete')) {
    const keys = [...String(body).matchAll(/<Key>([\s\S]*?)<\/Key>/g)].map(([, text = '']) => textOf(text));
    return keys.map((one) => ({ bucket, key: one, eventName: deleted }));
  }
  const isPart = searchParams.has('partNumber');
  const eventName = {
    PUT: isPart ? undefined : `ObjectCreated:${headers['x-amz-copy-source'] === undefined ? 'Put' : 'Copy'}`,
    POST: searchParams.has('uploadId') ? 'ObjectCreated:CompleteMultipartUpload' : undefined,
    DELETE: searchParams.has('uploadId') ? undefined : deleted,
  }[method];
  return key === '' || eventName === undefined ? [] : [{ bucket, key, eventName }];
}
