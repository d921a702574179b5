import { finished } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { FailedAttempts } from '../../auth/limits/failed-attempts.js';
import { BodyBudget, type ReleaseBody } from '../../platform/api/body-budget.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { Deliveries } from './deliveries.js';
import { SubscriptionsStore } from './subscriptions.store.js';
import type { Subscription } from './subscriptions.table.js';
import { Verifications } from './verifications.js';

const MAX_BYTES = 10_000_000;

declare module 'fastify' {
  interface FastifyRequest {
    delivery?: Delivery;
  }
}

interface Delivery {
  subscription: Subscription;
  isWhole: boolean;
  release: ReleaseBody;
}

/** Not a controller: the body must stay unparsed, and unknown tokens must be rejected before it is read. */
@Injectable()
export class CallbackRoutes implements OnModuleInit {
  private readonly budget = new BodyBudget({ maxBytes: 100_000_000, maxPerOwner: 4 });

  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly store: SubscriptionsStore,
    private readonly verifications: Verifications,
    private readonly deliveries: Deliveries,
    private readonly failed: FailedAttempts,
  ) {}

  onModuleInit() {
    const fastify: FastifyInstance = this.adapter.httpAdapter.getInstance();
    fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      const asItCame = { parseAs: 'buffer', bodyLimit: MAX_BYTES } as const;
      scope.addContentTypeParser('*', asItCame, (_request, body, done) => done(null, body));
      const url = '/websub/:token';
      scope.get(url, (request, reply) => this.verify(request, reply));
      const onRequest = (request: FastifyRequest, reply: FastifyReply) => this.recognise(request, reply);
      scope.post(url, { bodyLimit: MAX_BYTES, config: { bodyFromAnyone: true }, onRequest }, (request, reply) =>
        this.deliver(request, reply),
      );
    });
  }

  private async verify(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const subscription = await this.store.findByToken(tokenOf(request));
    const challenge = subscription && (await this.verifications.answer(subscription, request.query));
    if (!subscription) await this.failed.count(request.ip, tokenOf(request));
    if (challenge === undefined) throw new ApiError('not_found', 'Nothing of this kind was asked for here.');
    await reply.type('text/plain; charset=utf-8').send(challenge);
  }

  /** Runs before the body is read. The status 410 tells a hub to stop pushing to an ended subscription. */
  private async recognise(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const subscription = await this.store.findByToken(tokenOf(request));
    if (!subscription || subscription.state === 'ending') {
      this.deliveries.refused('unknown');
      if (!subscription) await this.failed.count(request.ip, tokenOf(request));
      await reply.status(410).header('Connection', 'close').send();
      return;
    }
    const delivery = { subscription, isWhole: false, release: this.reserve(subscription, request) };
    request.delivery = delivery;
    finished(reply.raw, () => {
      if (!delivery.isWhole) delivery.release();
    });
  }

  private reserve({ id }: Subscription, { headers }: FastifyRequest): ReleaseBody {
    const bytes = Number(headers['content-length'] ?? MAX_BYTES);
    const release = this.budget.take(id, Math.min(bytes, MAX_BYTES));
    if (release) return release;
    this.deliveries.refused('busy');
    throw new ApiError('overloaded', 'Other deliveries are being read. Send this one again.', {
      headers: { 'Retry-After': '1', Connection: 'close' },
    });
  }

  private async deliver(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { delivery } = request;
    if (!delivery) throw new Error('a delivery was not recognised');
    delivery.isWhole = true;
    try {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      // As WebSub requires, a delivery with an invalid signature gets the usual response and is dropped.
      await this.deliveries.take(delivery.subscription, request.headers, body);
    } finally {
      delivery.release();
    }
    await reply.status(202).send();
  }
}

const Parameters = z.object({ token: z.string() });
const tokenOf = ({ params }: FastifyRequest) => Parameters.parse(params).token;
