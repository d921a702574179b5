import { expect, it } from 'vitest';
import { mediaBeside, mediaKind } from './media-kind';

it.each([
  [{ url: 'https://a.example/x', type: 'image/webp' }, 'image'],
  [{ url: 'https://a.example/x.jpg', type: 'audio/mpeg' }, 'audio'],
  [{ url: 'https://a.example/x', type: 'video' }, 'video'],
  [{ url: 'https://a.example/pic.JPG?size=2' }, 'image'],
  [{ url: 'https://a.example/talk.mp3' }, 'audio'],
  [{ url: 'https://a.example/?file=x.png' }, 'file'],
  [{ url: 'https://a.example/x.png', type: 'application/pdf' }, 'file'],
])('knows what %o is', (media, kind) => {
  expect(mediaKind(media)).toBe(kind);
});

it('shows beside the text only what is not in it', () => {
  const media = ['https://a.example/1.png', 'https://a.example/2.png?a=1&b=2', 'https://a.example/3.png'].map(
    (url) => ({ url }),
  );
  const content = '<img src="https://a.example/1.png"><img src="https://a.example/2.png?a=1&#x26;b=2">';
  expect(mediaBeside({ media, content })).toEqual([{ url: 'https://a.example/3.png' }]);
});
