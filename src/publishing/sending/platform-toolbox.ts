import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.token.js';
import { HttpClient } from '../../platform/http/http-client.js';
import { Clock } from '../../platform/time/clock.js';
import type { MediaFile, PlatformTools } from '../platform.js';
import { fetchMedia } from './fetch-media.js';
import { Wakefulness } from './wakefulness.js';

/** What platforms work with. */
@Injectable()
export class PlatformToolbox {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly http: HttpClient,
    private readonly wakefulness: Wakefulness,
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
