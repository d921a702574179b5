import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.token.js';
import { HttpClient } from '../platform/http/http-client.js';
import { fetchMedia } from './fetch-media.js';
import type { PlatformTools } from './platform.js';

@Injectable()
export class PlatformToolbox {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly http: HttpClient,
    private readonly clock: Clock,
  ) {}

  tools(signal: AbortSignal): PlatformTools {
    const { http, config, clock } = this;
    return {
      ...{ http, config, signal },
      media: (url) => fetchMedia(url, { http, signal, mostBytes: config.mediaBytes }),
      pause: (ms) => sleep(ms, undefined, { signal }),
      now: () => clock.now(),
    };
  }
}
