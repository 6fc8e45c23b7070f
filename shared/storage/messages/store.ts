import { buckets } from '../../contract/buckets.ts';
import { defineStore } from '../../contract/define-store.ts';
import type { Bodies } from './bodies.ts';

const keyOf = (bodyKey: string): string => `${buckets.documents.messages}${bodyKey}`;

let loading: Promise<Bodies> | undefined;

/** Loads what speaks to S3 at the first long message, for few are long, and it would take a fifth of every start. */
const load = (): Promise<Bodies> => {
  loading ??= import('./bodies.ts').then(({ bodies }) => bodies());
  return loading;
};

const write = (client: typeof load, bucket: string) => ({
  /** Keeps the body of a message under the key that its publication chose; again it does no harm. */
  async putBody(bodyKey: string, bodyBase64: string): Promise<void> {
    const bodies = await client();
    await bodies.write(bucket, keyOf(bodyKey), Buffer.from(bodyBase64, 'base64'));
  },
});

const deliver = (client: typeof load, bucket: string) => ({
  /** The body as base64; undefined where it has expired. */
  async bodyOf(bodyKey: string): Promise<string | undefined> {
    const bodies = await client();
    const bytes = await bodies.read(bucket, keyOf(bodyKey));
    return bytes && Buffer.from(bytes).toString('base64');
  },
  ...write(client, bucket),
});

/** The bodies of long messages: thousands of copies may read one at once, which one key of a table would not bear. */
export const messages = defineStore({ name: 'messages', client: () => load, permissions: { write, deliver } });
