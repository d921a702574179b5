import { createHash } from 'node:crypto';
import { unescape as percentDecode } from 'node:querystring';
import { z } from 'zod';
import type { HttpResponse } from '../../../platform/http/http-response.js';
import { readJsonIf } from '../../../platform/http/json-answer.js';
import { signatureHeaders } from '../../../platform/http/webhook-signature.js';
import { type Content, type ContentProblem, definePlatform, type PublishFailure } from '../../platform.js';
import { ask, sendOnce } from '../call-platform.js';
import { type Effect, statusFailure } from '../judge-failure.js';

const PLACE = 'the webhook';

const WebhookCredentials = z.object({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  secret: z.string().min(1),
});
type WebhookCredentials = z.infer<typeof WebhookCredentials>;

/** Receivers may return an id and an address, but need not. */
const Receipt = z.object({
  id: z.string().min(1).max(500).nullish().catch(undefined),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .nullish()
    .catch(undefined),
});

/**
 * Sends a signed POST of JSON, `{type: 'publication', id, text, mediaUrls, link?, title?}`, with the publication's key
 * as `id` and as `Idempotency-Key`. Any 2xx status accepts it. `{type: 'ping'}` only checks that the receiver works.
 */
export const webhook = definePlatform<WebhookCredentials>({
  name: 'webhook',
  label: 'Webhook',
  credentials: WebhookCredentials,
  workers: 3,
  accepts: { text: { most: null, unit: 'characters' }, media: { least: 0, most: null, kinds: null } },
  check,

  async whose(credentials, tools) {
    const { url, secret } = credentials;
    const call = { method: 'POST' as const, ...signed({ type: 'ping' }, secret, tools.now()) };
    const response = await ask(new URL(url), call, tools);
    if (!isSuccess(response)) throw refusal(response, credentials, 'harmless');
    // The address itself is not used, because its path is often a secret.
    const id = createHash('sha256').update(url).digest('hex').slice(0, 16);
    return { id, name: new URL(url).host };
  },

  async publish({ content, credentials, key }, tools) {
    const { text, mediaUrls, link, title } = content;
    const message = { type: 'publication', id: key, text, mediaUrls, link, title };
    const { headers, body } = signed(message, credentials.secret, tools.now());
    const call = { headers: { ...headers, 'idempotency-key': key }, body, standsInLine: true };
    const response = await sendOnce(new URL(credentials.url), call, tools);
    if (!isSuccess(response)) throw refusal(response, credentials, 'shows');
    const receipt = readJsonIf(response, Receipt);
    return { postId: receipt?.id ?? key, url: receipt?.url ?? undefined };
  },

  /**
   * A receiver cannot be searched, so delivery is at least once, with the same key in every repeat. A receiver must
   * remember keys for a day and answer known ones with 2xx without publishing again. Never to repeat would leave
   * every lost answer to a person.
   */
  knowsKeysForMs: 24 * 3_600_000,
});

function check({ text, mediaUrls, link, title }: Content): ContentProblem[] {
  const isEmpty = !text.trim() && !mediaUrls.length && !link && !title;
  return isEmpty ? [{ path: 'text', message: 'there is nothing to send: no text, no link and no file' }] : [];
}

function signed(message: unknown, secret: string, now: Date) {
  const body = JSON.stringify(message);
  return { headers: { 'content-type': 'application/json', ...signatureHeaders(body, secret, now) }, body };
}

const isSuccess = ({ status }: HttpResponse) => status >= 200 && status < 300;

const Complaint = z.object({
  error: z.string().nullish().catch(undefined),
  message: z.string().nullish().catch(undefined),
  detail: z.string().nullish().catch(undefined),
});

/** A receiver answers 409 while it still works on an earlier attempt with the same key. */
function refusal(response: HttpResponse, { url, secret }: WebhookCredentials, effect: Effect): PublishFailure {
  const { error, message, detail } = readJsonIf(response, Complaint) ?? {};
  const { pathname, search, password } = new URL(url);
  return statusFailure(response, {
    place: PLACE,
    effect,
    code: response.status === 409 && effect === 'shows' ? 'UNCERTAIN' : undefined,
    words: message ?? detail ?? error ?? '',
    secrets: [secret, url, pathname + search, pathname, password, percentDecode(password)],
  });
}
