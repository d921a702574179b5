import { Inject, Injectable } from '@nestjs/common';
import { WorkerRpc } from '../../platform/broker/worker-rpc.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { HttpClient } from '../../platform/http/http-client.js';
import type { BackgroundWork } from '../../platform/http/request-limits.js';
import type { FetcherTools } from '../fetcher.js';
import { FeedParser } from '../parsing/feed-parser.js';
import { askWorker } from '../remote/ask-worker.js';
import type { FetchTrace } from './fetch-trace.js';

/** A fetch that would wait longer for a slot is retried later, so that it does not block others. */
const MAX_SLOT_WAIT_MS = 2_000;

interface PageTools {
  trace?: FetchTrace | undefined;
  background?: BackgroundWork | undefined;
}

@Injectable()
export class FetcherToolbox {
  private readonly common: Omit<FetcherTools, 'http'>;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly http: HttpClient,
    parser: FeedParser,
    workers: WorkerRpc,
  ) {
    this.common = {
      config,
      parseFeed: (document) => parser.parse(document),
      askWorker: (type, command) => askWorker(workers, { type, command, timeoutMs: config.remoteTimeoutMs }),
    };
  }

  get tools(): FetcherTools {
    return this.toolsFor({});
  }

  /** Later requests continue work that has already cost a request, which `isContinuation` tells the client. */
  toolsFor({ trace, background }: PageTools): FetcherTools {
    let isContinuation = false;
    const request: HttpClient['request'] = async (url, options) => {
      const timeouts = { line: MAX_SLOT_WAIT_MS, ...options?.timeouts };
      const response = await this.http.request(url, { ...options, timeouts, isContinuation, background });
      isContinuation = true;
      trace?.answered(response);
      return response;
    };
    const askWorker: FetcherTools['askWorker'] = async (type, command) => {
      const result = await this.common.askWorker(type, command);
      if (result.status === 'success' && result.data.metadata) trace?.counted(result.data.metadata);
      return result;
    };
    return { ...this.common, http: { get: request, request }, askWorker };
  }
}
