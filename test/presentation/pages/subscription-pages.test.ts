import { describe, expect, it } from 'vitest';
import { ClientError } from '../../../shared/domain/client-errors.ts';
import { clientErrorPage, errorPage } from '../../../shared/presentation/pages/page.ts';
import {
  confirmedPage,
  confirmPage,
  unsubscribedPage,
  unsubscribePage,
} from '../../../shared/presentation/pages/subscription-pages.ts';
import { aRequest, aSubscription, aTopic } from '../../harness/builders.ts';
import { aPageFrame } from '../../harness/mail-frames.ts';

const frame = aPageFrame();

const attack = '<script>alert(1)</script>"\'&';
const hostile = aSubscription(aTopic({ name: attack }), {
  protocol: 'email',
  address: 'amelie.clerk+"<img>@example.org',
  subjects: [attack],
});

const pages = {
  confirm: confirmPage(frame, hostile, aRequest({ subjects: [attack, 'liveBirth'] })),
  confirmed: confirmedPage(frame, hostile),
  unsubscribe: unsubscribePage(frame, hostile),
  unsubscribed: unsubscribedPage(frame, hostile),
  'already unsubscribed': unsubscribedPage(frame, undefined),
  refusal: clientErrorPage(frame, new ClientError('missingParameter', attack)),
  fault: errorPage(frame, attack),
};

describe.each(Object.entries(pages))('the page "%s"', (_name, page) => {
  it('a page is a complete document with a language, and its title begins with its heading', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
    const [, heading] = /<h1>([^<]+)<\/h1>/.exec(page) ?? [];
    expect(page).toContain(`<title>${heading} – `);
    expect(page.match(/<h1/g)).toHaveLength(1);
  });

  it('a page runs no scripts, loads no resources, and shows markup as text', () => {
    expect(page).not.toMatch(/<(?:script|img|link|iframe|object)\b|\ssrc=|\shref=|\son\w+=|\sstyle=|@import|url\(/i);
  });

  it('shows only masked addresses', () => {
    expect(page).not.toContain('melie');
    expect(page).not.toContain('clerk');
  });
});

it('a page that asks for confirmation has one form, and the form posts to the URL of the page', () => {
  for (const page of [pages.confirm, pages.unsubscribe]) {
    expect(page.match(/<form[^>]*>/g)).toEqual(['<form method="post">']);
    expect(page.match(/<button type="submit">[^<]+<\/button>/g)).toHaveLength(1);
  }
  for (const page of [pages.confirmed, pages.unsubscribed, pages.refusal, pages.fault]) {
    expect(page).not.toContain('<form');
  }
});

const clerk = aSubscription(aTopic({ name: 'CR' }), { protocol: 'email', address: 'clerk@example.org' });
const pending = { ...clerk, isActive: false };
const factsOf = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, term, fact]) => [
      term,
      fact?.replace(/<.?bdi>/g, ''),
    ]),
  );
const lead = (page: string) => /<\/h1>\n<p>(.*?)<\/p>/.exec(page)?.[1];
const same = { About: 'CR', Address: 'c***@example.org' };

it.each<[string[], string | undefined]>([
  [[], undefined],
  [['death', 'liveBirth'], 'death and birth'],
  [['a\u202eb', 'death', 'livestock census'], '“a\ufffdb”, death and “livestock census”'],
])('the confirmation page names each event type in the filter %j', (subjects, events) => {
  const page = confirmPage(frame, pending, aRequest({ subjects }));
  expect(factsOf(page)).toEqual({ ...same, ...(events !== undefined && { Notices: events }) });
  expect(lead(page)).toMatch(/to this address\. We will not send anything until you confirm\.$/);
});

it('the Arabic confirmation page separates the events in a filter with commas', () => {
  const page = confirmPage(aPageFrame('ar'), pending, aRequest({ subjects: ['birthCancellation', 'foetalDeath'] }));
  expect(page).toContain('إلغاء قيد ولادة، ووفاة جنين');
});

it("the confirmation page shows the request's filter, not the unconfirmed subscription's filter", () => {
  const page = confirmPage(frame, { ...pending, subjects: ['death'] }, aRequest({ subjects: ['marriage'] }));
  expect(factsOf(page)).toEqual({ ...same, Notices: 'marriage' });
});

it.each<[string[], string[], string, string]>([
  [['death'], [], 'death', 'all'],
  [[], ['death'], 'all', 'death'],
])(
  'the confirmation page for an active subscription says that the filter %j replaces %j',
  (subjects, before, events, now) => {
    const page = confirmPage(frame, { ...clerk, subjects: before }, aRequest({ subjects }));
    expect(factsOf(page)).toEqual({ ...same, Notices: events, 'Notices you receive now': now });
    expect(lead(page)).toMatch(
      /Nothing will change until you confirm\. If you confirm, the following will change: the notices we send\.$/,
    );
  },
);

it('the confirmation page for an active subscription says that the policy and the client would change', () => {
  const page = confirmPage(frame, clerk, aRequest({ countdownSeconds: 9, caller: 'other' }));
  expect(factsOf(page)).toEqual(same);
  expect(lead(page)).toContain('will change: the organisation that manages these notices and the schedule');
  expect(lead(confirmPage(frame, clerk, aRequest()))).toContain('If you confirm, nothing will change');
});
