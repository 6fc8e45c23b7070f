import {
  buckets,
  importLifetime,
  journalOldDays,
  messageLifetime,
  renditionLifetimes,
} from '../../../shared/contract/buckets.ts';
import type { Kept } from '../../retention/kept.ts';

const { documents, renditions, messages, imports } = buckets.documents;
const bucket = 'documents';

/** What an export wrote, and older versions of that. */
function exported(name: keyof typeof buckets.exportedJournal, what: string, of: Kept['of']): Kept[] {
  const at = { bucket: 'exportedJournal', prefix: buckets.exportedJournal[name] } as const;
  return [
    {
      ...{ what, at, of },
      days: { setting: 'journalLockDays' },
      ends: 'after it was exported, and not before',
    },
    {
      what: 'the same, written again after an export that broke off',
      ...{ at: { ...at, isOld: true }, of },
      days: journalOldDays,
      ends: 'after that, and not before its lock ends',
    },
  ];
}

export const inBucket: readonly Kept[] = [
  {
    what: 'documents',
    at: { bucket, prefix: documents },
    of: 'a person',
    ends: 'their writer deletes them, or the last of those whom they are about is removed',
  },
  {
    what: 'documents that were replaced or deleted, in their old versions',
    at: { bucket, prefix: documents, isOld: true },
    of: 'a person',
    days: { setting: 'documentVersionDays' },
    ends: 'after that, or the version is deleted, or the last of those persons is removed',
  },
  {
    what: 'what was made of documents',
    at: { bucket, prefix: renditions },
    of: 'a person',
    days: renditionLifetimes.days,
    ends: 'after it was made, or when S3 has told that its source is gone, or another',
  },
  {
    what: 'the same, replaced or deleted',
    at: { bucket, prefix: renditions, isOld: true },
    of: 'a person',
    days: renditionLifetimes.oldDays,
    ends: 'after that',
  },
  {
    what: 'bodies of events of over 4 KiB',
    at: { bucket, prefix: messages },
    of: 'whom events are about',
    days: { setting: 'ledgerDays', more: messageLifetime.moreDays },
    ends: 'after the publication, and after retries that are due later than half of `ledgerDays`',
  },
  {
    what: 'the same, replaced',
    at: { bucket, prefix: messages, isOld: true },
    of: 'whom events are about',
    days: messageLifetime.oldDays,
    ends: 'after that',
  },
  {
    what: 'files of changes, with all that they say of persons, and reports, which hold no values',
    at: { bucket, prefix: imports },
    of: 'a person',
    days: { setting: 'importDays' },
    ends: 'after they were put',
  },
  {
    what: 'the same, replaced or expired',
    at: { bucket, prefix: imports, isOld: true },
    of: 'a person',
    days: importLifetime.oldDays,
    ends: 'after that',
  },
  ...exported('journal', 'the exported journal: who asked what of whom, no values', 'a person'),
  ...exported('deliveries', 'who was told of events: ids of subscriptions, and how it ended', 'a subscriber'),
];
