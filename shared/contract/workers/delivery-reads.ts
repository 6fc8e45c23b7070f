import { pageReads } from '../letterhead-settings.ts';

/** The settings that every delivery reads. */
export const deliveryReads = ['baseUrl', 'deliveryFormat', 'hopSeconds', 'ledgerDays', 'pauseAfterDays'] as const;

/** Those of a delivery by e-mail. */
export const mailReads = [
  ...[...deliveryReads, ...pageReads],
  ...([
    'timeZone',
    'emailSenderName',
    'emailsPerSecond',
    'stage',
    'repeatUnknownMails',
    'subscriptionsPerTask',
  ] as const),
] as const;
