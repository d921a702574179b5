import { Injectable } from '@nestjs/common';
import { ApiError } from '../platform/errors/api-error.js';
import { HttpClient } from '../platform/http/http-client.js';
import { OutgoingRequestError } from '../platform/http/outgoing-request-error.js';
import { type SourceIdentity, SourceTypes } from '../sources/source-types.js';
import { codeOf } from './discovery-error.js';

/** Checks external ids that somebody gives. */
@Injectable()
export class SourceAddresses {
  constructor(
    private readonly types: SourceTypes,
    private readonly http: HttpClient,
  ) {}

  /** In the spelling that stands for the source. Fails with an ApiError that says what is wrong with it. */
  identify({ type, externalId }: SourceIdentity): SourceIdentity {
    const identity = this.types.identify(type, externalId);
    if (/^https?:/.test(identity.externalId)) this.refuseSpecial(identity.externalId);
    return identity;
  }

  private refuseSpecial(url: string): void {
    try {
      this.http.checkAddress(url);
    } catch (error) {
      if (!(error instanceof OutgoingRequestError)) throw error;
      const message = `${error.message}.`;
      throw new ApiError(codeOf(error), message, { errors: [{ path: 'externalId', message }] });
    }
  }
}
