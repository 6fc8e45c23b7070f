import { tokenLifetimeDays } from '../domain/subscriptions/subscription-token.ts';

/** What the pages say. One locale: English. */
export const texts = {
  service: 'Registry notifications',
  topic: 'Topic',
  address: 'Address',
  events: 'Events',
  eventsBefore: 'Events until now',
  allEvents: 'all',
  confirm: {
    title: 'Confirm your subscription',
    lead: 'Somebody asked for this address to be told of the events of this topic.',
    button: 'Confirm the subscription',
    otherwise: `If you did not ask for this, close this page: the request ends by itself after ${tokenLifetimeDays} days.`,
    never: 'Never ask this address again',
  },
  neverAsk: {
    title: 'Never ask this address again',
    lead: 'Shall this address never be asked again to confirm a subscription? Subscriptions that it has confirmed go on.',
    button: 'Never ask again',
    otherwise: 'To be asked as before, close this page.',
  },
  neverAsked: {
    title: 'This address is not asked again',
    lead: 'Nobody else can subscribe this address from now on. The link of a request that you have already still confirms.',
    otherwise: 'To take this back, write to whoever runs this service.',
  },
  confirmed: {
    title: 'Subscription confirmed',
    lead: 'From now on, events of this topic are sent to this address.',
    otherwise: 'Every mail has a link to unsubscribe.',
  },
  unsubscribe: {
    title: 'Unsubscribe',
    lead: 'Do you want to stop mails about the events of this topic to this address?',
    button: 'Unsubscribe',
    otherwise: 'To keep the subscription, close this page.',
  },
  unsubscribed: {
    title: 'You are unsubscribed',
    lead: 'Nothing more is sent to this address about this topic.',
    gone: 'This subscription has ended. Nothing more is sent to its address.',
  },
  badLink: {
    title: 'This link does not work',
    confirm: 'The link is incomplete, altered or no longer the latest one. Open it again from the newest mail.',
    expired: 'The link has expired. Ask for the subscription again: you will receive a mail with a new link.',
    neverAsk: 'The link is incomplete or altered. Open it again from the mail.',
    unsubscribe:
      'The link is incomplete, altered or too old. Open it again from a newer mail, or ask whoever runs this service to end the subscription.',
  },
  fault: {
    title: 'Something went wrong',
    lead: 'This is a fault on our side. Please try again in a few minutes.',
    request: 'If it stays, report this request:',
  },
} as const;
