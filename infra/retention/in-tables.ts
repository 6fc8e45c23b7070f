import { importLimits } from '../../shared/domain/imports/import-limits.ts';
import { mintKeyLifetimeSeconds } from '../../shared/domain/persons/mint-key.ts';
import { keptAfterTokenDays } from '../../shared/domain/subscriptions/confirmation-requests.ts';
import { tokenLifetimeDays } from '../../shared/domain/subscriptions/subscription-token.ts';
import type { Kept } from './kept.ts';

const daySeconds = 86_400;

export const inTables: readonly Kept[] = [
  {
    what: 'the attributes of a person, also folded, for searching; who registered them, and the last line about them',
    at: { table: 'persons', begins: 'person#' },
    of: 'a person',
    ends: 'an operator deletes the row, or an import merges or removes the person',
  },
  {
    what: 'which UIN a key of minting (a hash) was answered with',
    at: { table: 'persons', begins: 'mint#' },
    of: 'a person',
    days: mintKeyLifetimeSeconds / daySeconds,
    ends: 'after the minting',
  },
  {
    what: 'that a change of an `id` (a hash) was applied, and to whom; the UIN minted for a line of an import',
    at: { table: 'persons', begins: 'change#' },
    of: 'a person',
    days: importLimits.markDays,
    ends: 'after the change',
  },
  {
    what: 'that an import removed somebody, or merged them with another, and with whom',
    at: { table: 'persons', begins: 'gone#' },
    of: 'a person',
    days: { setting: 'journalDays', least: importLimits.markDays },
    ends: 'after the change; of one who left documents of two, never',
  },
  {
    what: 'imports: names of files, how far they came, counts',
    at: { table: 'persons', begins: 'import#' },
    of: 'nobody',
    days: { setting: 'importDays' },
    ends: 'after its end',
  },
  {
    what: 'which search indexes hold everybody, and how far one is that is being filled: the last UIN',
    at: { table: 'persons', begins: 'indexes' },
    of: 'a person',
    ends: 'the filling ends; that it has stays',
  },
  { what: 'topics', at: { table: 'topics' }, of: 'nobody', ends: 'a caller deletes the topic' },
  {
    what: 'a subscription: address, policy, filter, caller',
    at: { table: 'subscriptions' },
    of: 'a subscriber',
    ends: 'the subscriber or a caller ends it, or the topic is deleted',
  },
  {
    what: 'the same before it was ever confirmed',
    at: { table: 'subscriptions' },
    of: 'a subscriber',
    days: tokenLifetimeDays + keptAfterTokenDays,
    ends: 'after the last request to confirm',
  },
  {
    what: 'where documents of two lie: both UINs and the type',
    at: { table: 'documentLinks' },
    of: 'a person',
    ends: 'the last document in that place is deleted',
  },
  {
    what: 'how often a mailbox, host or caller was asked for: hashes under a key',
    at: { table: 'limits' },
    of: 'a subscriber',
    days: tokenLifetimeDays,
    ends: 'after the request, or within the hour that is counted',
  },
  {
    what: 'which mailbox never wants to be asked again: such a hash',
    at: { table: 'limits' },
    of: 'a subscriber',
    ends: '`allowAsking`',
  },
  {
    what: 'events, with bodies of up to 4 KiB, and what became of each delivery',
    at: { table: 'deliveries' },
    of: 'whom events are about',
    days: { setting: 'ledgerDays' },
    ends: 'after the publication, and after the last attempt, retry or redelivery',
  },
  {
    what: 'who asked what of whom: UINs and names of attributes, no values',
    at: { table: 'journal' },
    of: 'a person',
    days: { setting: 'journalDays' },
    ends: 'after the request',
  },
];
