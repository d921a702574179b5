import { describe, expect, it } from 'vitest';
import { fromLittleText, toLittleText } from './linkedin-little-text.js';

describe('a text on its way to LinkedIn', () => {
  it('has everything escaped that would mean something', () => {
    expect(toLittleText('a|b {c} @d [e](f) <g> h#i \\ *j* _k_ ~l~')).toBe(
      'a\\|b \\{c\\} \\@d \\[e\\]\\(f\\) \\<g\\> h\\#i \\\\ \\*j\\* \\_k\\_ \\~l\\~',
    );
  });

  it('keeps its hashtags', () => {
    expect(toLittleText('#news about\n#Überraschung and #2030goals')).toBe('#news about\n#Überraschung and #2030goals');
  });

  it('escapes what only looks like a hashtag', () => {
    expect(toLittleText('we are #1, C#, ##, https://example.org/#top')).toBe(
      'we are \\#1, C\\#, \\#\\#, https://example.org/\\#top',
    );
  });

  it.each([
    'a (b) [c] {d} <e> @f #g h#i \\ \\( *j* _k_ ~l~ | 🎉',
    'nothing special',
    '',
    '{hashtag|\\#|no} @[no](urn:li:person:1)',
  ])('comes back as it was: %s', (text) => {
    expect(fromLittleText(toLittleText(text))).toBe(text);
  });
});

describe('a text from LinkedIn', () => {
  it('shows hashtags and mentions as readers see them', () => {
    expect(fromLittleText('{hashtag|\\#|coding} with @[Dev \\(test\\)](urn:li:organization:2414183) \\*\\*')).toBe(
      '#coding with Dev (test) **',
    );
  });
});
