/** The buckets and what is under which prefix, read by the CDK constructs and by storage. */
export const buckets = {
  documents: {
    /** Written by the registry's own systems: `documents/{uin}/{doctype}/{secondaryUin or -}/{file name}`. */
    documents: 'documents/',
    /** Conversions, which can always be made again. */
    renditions: 'renditions/',
    /** Bodies of long messages, which expire with the ledger. */
    messages: 'messages/',
  },
} as const satisfies Record<string, Readonly<Record<string, `${string}/`>>>;

export type BucketName = keyof typeof buckets;

/** What is made from documents is kept for a while; what carries the tag, for a day only. */
export const renditionLifetimes = { days: 30, tag: { key: 'lifetime', value: 'day' }, taggedDays: 1 } as const;
