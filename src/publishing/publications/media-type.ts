const SIGNATURES: [type: string, bytes: RegExp][] = [
  ['image/jpeg', /^ffd8ff/],
  ['image/png', /^89504e470d0a1a0a/],
  ['image/gif', /^47494638(37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['image/avif', /^.{8}667479706176/],
  ['video/quicktime', /^.{8}667479707174/],
  ['video/mp4', /^.{8}66747970/],
  ['video/webm', /^1a45dfa3/],
];

export function mediaType(bytes: Uint8Array, contentType: string | undefined): string {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('hex');
  const [type] = SIGNATURES.find(([, signature]) => signature.test(start)) ?? [];
  return type ?? contentType?.split(';')[0]?.trim().toLowerCase() ?? 'application/octet-stream';
}
