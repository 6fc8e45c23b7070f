import { importLimits } from '../../../shared/domain/imports/import-limits.ts';
import { idempotencyKeySeconds } from '../../../shared/domain/persons/idempotency-key.ts';
import { keptAfterTokenDays } from '../../../shared/domain/subscriptions/confirmation-requests.ts';
import { tokenLifetimeDays } from '../../../shared/domain/subscriptions/subscription-token.ts';
import type { StoredData } from './stored-data.ts';

const daySeconds = 86_400;

export const tableData: readonly StoredData[] = [
  {
    what: 'the attributes of a person, also normalized for searches; the caller who registered the person, the last import line about them, and their former UINs',
    at: { table: 'persons', begins: 'person#' },
    about: 'a person',
    ends: 'an operator deletes the row, or an import merges or removes the person',
  },
  {
    what: 'the hash of an idempotency key, and the UIN that was returned for it',
    at: { table: 'persons', begins: 'mint#' },
    about: 'a person',
    days: idempotencyKeySeconds / daySeconds,
    ends: 'after the UIN was generated',
  },
  {
    what: 'a record that a change was applied, with its hashed id and the person; the UIN that was generated for an import line',
    at: { table: 'persons', begins: 'change#' },
    about: 'a person',
    days: importLimits.markDays,
    ends: 'after the change',
  },
  {
    what: 'the last import line about a person who was merged or removed; the UIN of the kept person, or the former UINs of the removed person',
    at: { table: 'persons', begins: 'former#' },
    about: 'a person',
    days: importLimits.markDays,
    ends: 'after the person is removed',
  },
  {
    what: 'the keyed hash of a UIN that must not be issued again',
    at: { table: 'persons', begins: 'retired#' },
    about: 'no person',
    ends: 'an operator deletes the row',
  },
  {
    what: 'imports: file names, progress, counts',
    at: { table: 'persons', begins: 'import#' },
    about: 'no person',
    days: { setting: 'importDays' },
    ends: 'after the import ends; earlier if it applied no line',
  },
  {
    what: 'which search indexes are complete, and the last UIN that was added to an incomplete index',
    at: { table: 'persons', begins: 'indexes' },
    about: 'a person',
    ends: 'the index is complete; the record of complete indexes is kept',
  },
  { what: 'topics', at: { table: 'topics' }, about: 'no person', ends: 'a caller deletes the topic' },
  {
    what: 'a subscription: address, policy, filter, caller, and a keyed hash of caller and host',
    at: { table: 'subscriptions' },
    about: 'a subscriber',
    ends: 'the subscriber or a caller ends the subscription, or the topic is deleted',
  },
  {
    what: 'a subscription before its first confirmation',
    at: { table: 'subscriptions' },
    about: 'a subscriber',
    days: tokenLifetimeDays + keptAfterTokenDays,
    ends: 'after the last confirmation request',
  },
  {
    what: 'locations of documents about two persons: the UINs of both persons and the document type',
    at: { table: 'documentLinks' },
    about: 'a person',
    ends: 'no document with the same UINs and type remains',
  },
  {
    what: 'the number of confirmation requests per mailbox, host or caller (stored as keyed hashes)',
    at: { table: 'limits' },
    about: 'a subscriber',
    days: tokenLifetimeDays,
    ends: 'after the request; hourly counts expire at the end of the hour',
  },
  {
    what: "the number of persons that a client's searches found in a minute",
    at: { table: 'limits' },
    about: 'no person',
    days: 1,
    ends: 'after the counted minute',
  },
  {
    what: 'keyed hashes of mailboxes that block confirmation requests',
    at: { table: 'limits' },
    about: 'a subscriber',
    ends: 'an operator runs allowRequests',
  },
  {
    what: 'events, with bodies of up to 4 KiB, and the result of each delivery',
    at: { table: 'deliveries' },
    about: 'the persons in events',
    days: { setting: 'deliveryDays' },
    ends: 'after publication, and after the last attempt, retry or redelivery',
  },
  {
    what: 'requests about persons: callers, UINs and attribute names, but no attribute values',
    at: { table: 'journal' },
    about: 'a person',
    days: { setting: 'journalDays' },
    ends: 'after the request',
  },
];
