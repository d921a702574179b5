import { Injectable } from '@nestjs/common';
import { ApiError, type FieldError } from '../../platform/errors/api-error.js';
import { HttpClient } from '../../platform/http/http-client.js';
import { OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { type Platform, PublishFailure } from '../platform.js';
import { PlatformToolbox } from '../sending/platform-toolbox.js';

/** The timeout is short, because a user waits for the answer. */
const TIMEOUT_MS = 25_000;
const MAX_BYTES = 20_000;

/** No error message repeats the credentials that a user enters. */
@Injectable()
export class CredentialInput {
  constructor(
    private readonly http: HttpClient,
    private readonly toolbox: PlatformToolbox,
  ) {}

  read(platform: Platform, given: unknown): unknown {
    if (JSON.stringify(given).length > MAX_BYTES) throw invalid([{ path: 'credentials', message: 'too large' }]);
    const parsed = platform.credentials.safeParse(given);
    if (!parsed.success) {
      throw invalid(parsed.error.issues.map(({ path, message }) => ({ path: spelled(path), message })));
    }
    const refused = Object.entries(parsed.data ?? {}).flatMap(([name, value]) => this.refusedAddress(name, value));
    if (refused.length) throw invalid(refused);
    return parsed.data;
  }

  async prove(platform: Platform, credentials: CredentialLoader): Promise<{ id: string; name: string }> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await platform.whose(await credentials(), this.toolbox.checkTools(signal));
    } catch (error) {
      if (signal.aborted) throw unreachable(`${platform.label} did not answer in time`);
      throw error instanceof PublishFailure ? toApiError(error) : error;
    }
  }

  private refusedAddress(name: string, value: unknown): FieldError[] {
    if (typeof value !== 'string' || !/^\s*https?:/i.test(value)) return [];
    try {
      this.http.checkAddress(value);
      return [];
    } catch (error) {
      if (error instanceof OutgoingRequestError) return [{ path: `credentials.${name}`, message: error.message }];
      throw error;
    }
  }
}

/** A function, because stored credentials may have to be renewed first. */
export type CredentialLoader = () => unknown;

function toApiError({ code, message }: PublishFailure): ApiError {
  if (code === 'AUTH_ERROR' || code === 'REFUSED') return new ApiError('credentials_refused', message);
  return unreachable(message);
}

const unreachable = (message: string) => new ApiError('platform_unreachable', message);

const spelled = (path: PropertyKey[]) => ['credentials', ...path].map(String).join('.');

function invalid(errors: FieldError[]): ApiError {
  const detail = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new ApiError('validation_failed', detail, { errors });
}
