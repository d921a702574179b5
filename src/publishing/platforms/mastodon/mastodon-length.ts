import { countGraphemes } from '../count-graphemes.js';

const SCHEMES = '(?:https?|dat|dweb|ipfs|ipns|ssb|gopher|gemini)';
/** Mastodon knows the list of top-level domains. Here any word counts as one, but not a number or a single name. */
const DOMAIN = String.raw`(?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?\.)+(?:xn--[a-z0-9-]+|\p{L}{2,})(?![a-z0-9@+-])`;
const IN_PARENTHESES = String.raw`\([^\s<>()?]+\)`;
const PATH = String.raw`\/(?:(?:[^\s<>()?]|${IN_PARENTHESES})*(?:[^\s()?!*"'\u300c\u300d<>;:=,.$%\[\]~&|]|${IN_PARENTHESES}))?`;
const QUERY_SIGNS = String.raw`\u{A0}-\u{D7FF}\u{E000}-\u{10FFFD}`;
const QUERY = String.raw`\?[a-z0-9!?*'();:&=+$\/%#\[\]\-_.,~|@\^${QUERY_SIGNS}]*[a-z0-9_&=#\/\-${QUERY_SIGNS}]`;
const ADDRESS = String.raw`(?<![a-z0-9@\uff20$#\uff03])${SCHEMES}:\/\/${DOMAIN}(?::\d+)?(?:${PATH})?(?:${QUERY})?`;
const MENTION = String.raw`(?<![=\/\p{L}\p{N}_])@(?<user>[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*)(?:@[\p{L}\p{N}_]+(?:[.-]+[\p{L}\p{N}_]+)*)?`;
const ENTITY = new RegExp(`${ADDRESS}|${MENTION}`, 'giu');
const NO_MENTION_BEFORE = /^(?:[@＠À-ÖØ-öø-ÿ]|:\/\/)/;

const ADDRESS_STANDS_FOR = 'x'.repeat(23);

/** Counts as Mastodon does: an address counts as 23 characters, and only the user name of a mention counts. */
export function mastodonLength(text: string): number {
  return countGraphemes(rewritten(text.trim(), () => ADDRESS_STANDS_FOR));
}

export function withShortMentions(text: string): string {
  return rewritten(text, (address) => address);
}

function rewritten(text: string, ofAddress: (address: string) => string): string {
  return text.replace(ENTITY, (entity, ...rest) => {
    const [offset, whole, { user }] = rest.slice(-3) as [number, string, { user?: string }];
    if (user === undefined) return ofAddress(entity);
    const after = whole.slice(offset + entity.length, offset + entity.length + 3);
    return NO_MENTION_BEFORE.test(after) ? entity : `@${user}`;
  });
}
