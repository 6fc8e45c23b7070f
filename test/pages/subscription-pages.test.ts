import { describe, expect, it } from 'vitest';
import { Refusal } from '../../shared/model/refusals.ts';
import { faultPage, refusalPage } from '../../shared/pages/page.ts';
import {
  confirmedPage,
  confirmPage,
  unsubscribedPage,
  unsubscribePage,
} from '../../shared/pages/subscription-pages.ts';
import { aSubscription, aTopic } from '../support/builders.ts';

const attack = '<script>alert(1)</script>"\'&';
const hostile = aSubscription(aTopic({ name: attack }), {
  protocol: 'email',
  address: 'amelie.clerk+"<img>@example.org',
});

const pages = {
  confirm: confirmPage(hostile),
  confirmed: confirmedPage(hostile),
  unsubscribe: unsubscribePage(hostile),
  unsubscribed: unsubscribedPage(hostile),
  'unsubscribed before': unsubscribedPage(undefined),
  refusal: refusalPage(new Refusal('missingParameter', attack)),
  fault: faultPage(attack),
};

describe.each(Object.entries(pages))('the page of %s', (_name, page) => {
  it('is a whole document in a named language, with one title that is its heading', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    const [, heading] = /<h1>([^<]+)<\/h1>/.exec(page) ?? [];
    expect(page).toContain(`<title>${heading} – `);
    expect(page.match(/<h1/g)).toHaveLength(1);
  });

  it('runs nothing and loads nothing, and shows markup as text', () => {
    expect(page).not.toMatch(/<(?:script|img|link|iframe|object)\b|\ssrc=|\shref=|\son\w+=|\sstyle=|@import|url\(/i);
  });

  it('shows no address but masked', () => {
    expect(page).not.toContain('melie');
    expect(page).not.toContain('clerk');
  });
});

it('a page that asks has one form, which posts to its own address', () => {
  for (const page of [pages.confirm, pages.unsubscribe]) {
    expect(page.match(/<form[^>]*>/g)).toEqual(['<form method="post">']);
    expect(page.match(/<button type="submit">[^<]+<\/button>/g)).toHaveLength(1);
  }
  for (const page of [pages.confirmed, pages.unsubscribed, pages.refusal, pages.fault]) {
    expect(page).not.toContain('<form');
  }
});
