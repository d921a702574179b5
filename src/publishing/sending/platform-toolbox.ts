import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { HttpClient } from '../../platform/http/http-client.js';
import { OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { redactAddress } from '../../platform/redact.js';
import { Clock } from '../../platform/time/clock.js';
import { type MediaFile, type PlatformTools, PublishFailure, type PublishFailureCode } from '../platform.js';
import { mediaType } from '../publications/media-type.js';
import { FreezeDetector } from './freeze-detector.js';

/** The time limit for a media file (ms), enough for a large video over a slow connection. */
const MAX_MS = 10 * 60_000;

const BLAME = ['INVALID_URL', 'ADDRESS_REFUSED', 'TOO_LARGE', 'TOO_MANY_REDIRECTS'];

@Injectable()
export class PlatformToolbox {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly http: HttpClient,
    private readonly freezeDetector: FreezeDetector,
    private readonly clock: Clock,
  ) {}

  /** Requests wait in the host's queue, because users can request any number of checks. */
  checkTools(signal: AbortSignal): PlatformTools {
    return { ...this.tools(signal), http: this.clientWith({ standsInLine: true }) };
  }

  /** A file that several steps of a run need is fetched once. */
  tools(signal: AbortSignal): PlatformTools {
    const { http, config, clock } = this;
    const files = new Map<string, Promise<MediaFile>>();
    const media = (url: string) => {
      const file = files.get(url) ?? fetchMedia(url, { http, signal, maxBytes: config.mediaBytes });
      files.set(url, file);
      return file;
    };
    return { http: this.clientWith(), config, media, now: () => clock.now(), ...stoppedBy(signal) };
  }

  /** A connection may wake a process that was frozen, so the freeze detector is asked before anything is sent. */
  private clientWith({ beforeSend, standsInLine }: ClientOptions = {}): PlatformTools['http'] {
    const checks = {
      ...(standsInLine && { standsInLine }),
      beforeSend: () => {
        this.freezeDetector.checkNow();
        beforeSend?.();
      },
    };
    return {
      get: (url, options) => this.http.get(url, { ...options, ...checks }),
      request: (url, options) => this.http.request(url, { ...options, ...checks }),
    };
  }

  /** `beforeSend` runs right before the first byte is sent and may abort it. */
  within(tools: PlatformTools, signal: AbortSignal, beforeSend: () => void): PlatformTools {
    return { ...tools, http: this.clientWith({ beforeSend }), ...stoppedBy(signal) };
  }
}

interface ClientOptions {
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
  maxBytes: number;
}

/** It fails with REFUSED if a retry cannot help, and with NOT_YET if the host has to be asked later. */
async function fetchMedia(url: string, { http, signal, maxBytes }: MediaRequest): Promise<MediaFile> {
  const { status, headers, body } = await answered(url, { http, signal, maxBytes });
  if (status === 200) return { bytes: body, type: mediaType(body, headers['content-type']), name: nameIn(url) };
  const code = status >= 400 && status < 500 && status !== 429 ? 'REFUSED' : 'UNAVAILABLE';
  throw new PublishFailure(code, `the file ${redactAddress(url)} could not be fetched: the server answered ${status}`);
}

async function answered(url: string, { http, signal, maxBytes }: MediaRequest) {
  try {
    return await http.get(url, { signal, maxBytes, timeouts: { total: MAX_MS } });
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
