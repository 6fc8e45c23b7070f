import type { Recipient, Sender } from '../engine/sender.ts';

/** Sends nothing to those who never want to be asked again, also where they said so after the request was made. */
export const unlessDeclined = <To extends Recipient>(
  sender: Sender<To>,
  isDeclined: (address: string) => Promise<boolean>,
): Sender<To> => ({
  deliver: async (message, recipient) =>
    (await isDeclined(recipient.address)) ? { class: 'declined' } : sender.deliver(message, recipient),
});
