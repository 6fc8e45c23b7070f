import { expect, it } from 'vitest';
import { html } from '../../../shared/presentation/pages/html.ts';

it('html escapes all text, both in content and in quoted attributes', () => {
  const attack = `<b>"'&amp;</b>`;
  expect(html`<p title="${attack}">${attack}</p>`.markup).toBe(
    '<p title="&lt;b&gt;&quot;&#39;&amp;amp;&lt;/b&gt;">&lt;b&gt;&quot;&#39;&amp;amp;&lt;/b&gt;</p>',
  );
});

it('html inserts markup unchanged, joins the items of a list, and inserts no text for undefined', () => {
  const rows = ['a', '<'].map((text) => html`<li>${text}</li>`);
  expect(html`<ul>${rows}</ul>${undefined}${html`<hr>`}`.markup).toBe('<ul><li>a</li><li>&lt;</li></ul><hr>');
});
