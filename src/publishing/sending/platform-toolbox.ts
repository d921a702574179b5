import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.js';
import { HttpClient } from '../../platform/http/http-client.js';
import { OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { redactAddress } from '../../platform/redact.js';
import { Clock } from '../../platform/time/clock.js';
import { type MediaFile, type PlatformTools, PublishFailure, type PublishFailureCode } from '../platform.js';
import { mediaType } from '../publications/media-type.js';
import { FreezeDetector } from './freeze-detector.js';

/** A large video over a slow line. */
const MAX_MS = 10 * 60_000;

const BLAME = ['INVALID_URL', 'ADDRESS_REFUSED', 'TOO_LARGE', 'TOO_MANY_REDIRECTS'];

/** What platforms work with. */
@Injectable()
export class PlatformToolbox {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly http: HttpClient,
    private readonly wakefulness: FreezeDetector,
    private readonly clock: Clock,
  ) {}

  /** For the check of an account: its requests stand in the line for the host, because anybody can ask for any number of checks. */
  checkTools(signal: AbortSignal): PlatformTools {
    return { ...this.tools(signal), http: this.clientWith({ standsInLine: true }) };
  }

  /** For one run: a file that several steps of it need is fetched once. */
  tools(signal: AbortSignal): PlatformTools {
    const { http, config, clock } = this;
    const files = new Map<string, Promise<MediaFile>>();
    const media = (url: string) => {
      const file = files.get(url) ?? fetchMedia(url, { http, signal, mostBytes: config.mediaBytes });
      files.set(url, file);
      return file;
    };
    return { http: this.clientWith(), config, media, now: () => clock.now(), ...stoppedBy(signal) };
  }

  /** A process that stood still while a connection was made may be woken by it: then nothing is sent. */
  private clientWith({ beforeSend, standsInLine }: Terms = {}): PlatformTools['http'] {
    const checks = {
      ...(standsInLine && { standsInLine }),
      beforeSend: () => {
        this.wakefulness.look();
        beforeSend?.();
      },
    };
    return {
      get: (url, options) => this.http.get(url, { ...options, ...checks }),
      request: (url, options) => this.http.request(url, { ...options, ...checks }),
    };
  }

  /** The same for a step that another signal ends, perhaps by `beforeSend`, right before the first byte leaves. */
  within(tools: PlatformTools, signal: AbortSignal, beforeSend: () => void): PlatformTools {
    return { ...tools, http: this.clientWith({ beforeSend }), ...stoppedBy(signal) };
  }
}

interface Terms {
  beforeSend?: () => void;
  standsInLine?: boolean;
}

const stoppedBy = (signal: AbortSignal) => ({
  signal,
  pause: (ms: number) => sleep(ms, undefined, { signal }),
});

interface MediaRequest {
  http: Pick<HttpClient, 'get'>;
  signal: AbortSignal;
  mostBytes: number;
}

/** A file that a publication names. Fails with REFUSED where trying again cannot help, with NOT_YET where its host is to be asked later, with UNREACHABLE where it does not answer, else with UNAVAILABLE. */
async function fetchMedia(url: string, { http, signal, mostBytes }: MediaRequest): Promise<MediaFile> {
  const { status, headers, body } = await answered(url, { http, signal, mostBytes });
  if (status === 200) return { bytes: body, type: mediaType(body, headers['content-type']), name: nameIn(url) };
  const code = status >= 400 && status < 500 && status !== 429 ? 'REFUSED' : 'UNAVAILABLE';
  throw new PublishFailure(code, `the file ${redactAddress(url)} could not be fetched: the server answered ${status}`);
}

async function answered(url: string, { http, signal, mostBytes }: MediaRequest) {
  try {
    return await http.get(url, { signal, maxBytes: mostBytes, timeouts: { total: MAX_MS } });
  } catch (error) {
    if (!(error instanceof OutgoingRequestError)) throw error;
    const { message, until } = error;
    throw new PublishFailure(codeOf(error), `the file ${redactAddress(url)} could not be fetched: ${message}`, {
      cause: error,
      until,
    });
  }
}

function codeOf({ code, until }: OutgoingRequestError): PublishFailureCode {
  if (until) return 'NOT_YET';
  return BLAME.includes(code) ? 'REFUSED' : 'UNREACHABLE';
}

function nameIn(url: string): string {
  const name = decodeURI(new URL(url).pathname)
    .split('/')
    .at(-1)
    ?.replace(/[^\w.-]+/g, '-');
  return name?.slice(-100) || 'file';
}
