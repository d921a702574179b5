import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../../platform/errors/api-error.js';
import { linkedAs, linkHeader } from './announced-hubs.js';
import { isSigned } from './is-signed.js';
import { PushMetrics, type PushOutcome } from './push-metrics.js';
import { Pushes } from './pushes.js';
import { SubscriptionsStore } from './subscriptions.store.js';
import type { Subscription } from './subscriptions.table.js';
import { Verifications } from './verifications.js';

const MOST_BYTES = 10_000_000;
/** Of one subscription: bodies are large, and whoever pushes more at a time is asked to come again. */
const MOST_AT_ONCE = 4;

declare module 'fastify' {
  interface FastifyRequest {
    subscription?: Subscription;
  }
}

/**
 * Where hubs verify and push. No controller, because any body must be taken as it came, and because whoever knows no token
 * must be refused before theirs is read.
 */
@Injectable()
export class CallbackRoutes implements OnModuleInit {
  private readonly underWay = new Map<string, number>();

  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly store: SubscriptionsStore,
    private readonly verifications: Verifications,
    private readonly pushes: Pushes,
    private readonly metrics: PushMetrics,
  ) {}

  onModuleInit() {
    const fastify: FastifyInstance = this.adapter.httpAdapter.getInstance();
    fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      const asItCame = { parseAs: 'buffer', bodyLimit: MOST_BYTES } as const;
      scope.addContentTypeParser('*', asItCame, (_request, body, done) => done(null, body));
      const url = '/websub/:token';
      scope.get(url, (request, reply) => this.verify(request, reply));
      const onRequest = (request: FastifyRequest, reply: FastifyReply) => this.recognise(request, reply);
      scope.post(url, { bodyLimit: MOST_BYTES, onRequest }, (request, reply) => this.deliver(request, reply));
    });
  }

  private async verify(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const subscription = await this.store.findByToken(tokenOf(request));
    const challenge = subscription && (await this.verifications.answer(subscription, request.query));
    if (challenge === undefined) throw new ApiError('not_found', 'Nothing of this kind was asked for here.');
    await reply.type('text/plain; charset=utf-8').send(challenge);
  }

  /** A hub that goes on pushing to nobody learns by 410 that it may stop. */
  private async recognise(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const subscription = await this.store.findByToken(tokenOf(request));
    if (subscription && subscription.state !== 'ending') {
      request.subscription = subscription;
      return;
    }
    this.metrics.came('unknown');
    await reply.status(410).header('Connection', 'close').send();
  }

  private async deliver(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { subscription } = request;
    if (!subscription) throw new Error('a delivery was not recognised');
    this.metrics.came(await this.inTurn(subscription, () => this.take(subscription, request)));
    await reply.status(202).send();
  }

  /** A delivery that is not signed as it should be is answered like any other, as WebSub has it, and dropped. */
  private async take(subscription: Subscription, { headers, body }: FastifyRequest): Promise<PushOutcome> {
    const sent = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    const signature = headers['x-hub-signature'];
    if (!isSigned(sent, subscription.secret, signature?.toString())) return 'unsigned';
    const links = linkHeader([headers.link ?? []].flat().join(', '), subscription.topicUrl);
    const topics = linkedAs(links, 'self');
    if (topics.length && !topics.includes(subscription.topicUrl)) return 'other_topic';
    return this.pushes.take(subscription, { body: sent, contentType: headers['content-type'] });
  }

  private async inTurn(subscription: Subscription, work: () => Promise<PushOutcome>): Promise<PushOutcome> {
    const { id } = subscription;
    const running = this.underWay.get(id) ?? 0;
    if (running >= MOST_AT_ONCE) {
      this.metrics.came('busy');
      const headers = { 'Retry-After': '1' };
      throw new ApiError('not_ready', 'Enough of this is being read just now; push it again.', { headers });
    }
    this.underWay.set(id, running + 1);
    try {
      return await work();
    } finally {
      const left = (this.underWay.get(id) ?? 1) - 1;
      if (left) this.underWay.set(id, left);
      else this.underWay.delete(id);
    }
  }
}

const Parameters = z.object({ token: z.string() });
const tokenOf = ({ params }: FastifyRequest) => Parameters.parse(params).token;
