import type { Config } from '../config.js';

const POLICY = {
  'default-src': "'self'",
  'img-src': "'self' data:",
  'style-src': "'self'",
  'base-uri': "'self'",
  'form-action': "'self'",
  'object-src': "'none'",
  'frame-ancestors': "'none'",
};

/** Pages of other projects, whose HTML has inline styles. */
const INLINE_STYLED = ['/docs', '/admin/queues'];

export function securityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>, route = ''): Record<string, string> {
  const inlineStyled = INLINE_STYLED.some((path) => route === path || route.startsWith(`${path}/`));
  return {
    ...(route.startsWith('/api/') && { 'Cache-Control': 'no-store' }),
    'Content-Security-Policy': contentSecurityPolicy(inlineStyled ? "'self' 'unsafe-inline'" : "'self'"),
    'X-Content-Type-Options': 'nosniff',
    // With `no-referrer` browsers would send `Origin: null` with our own forms.
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(publicUrl?.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}

export function contentSecurityPolicy(styles: string, more: Record<string, string> = {}): string {
  return Object.entries({ ...POLICY, 'style-src': styles, ...more })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}
