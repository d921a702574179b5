import type { ServerResponse } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ApiError } from '../../platform/errors/api-error.js';
import { Events } from '../../platform/events/events.js';
import { endEventStream } from '../../platform/live/event-stream.js';
import { KeysStore, keyRevoked } from './keys.store.js';

/** A request may have looked its key up this long (ms) before the revocation was committed. */
const LOOKUP_MS = 10_000;

@Injectable()
export class RevokedKeys implements OnModuleInit {
  private readonly responses = new Map<string, Set<ServerResponse>>();
  private readonly justRevoked = new Set<string>();

  constructor(
    private readonly events: Events,
    private readonly keys: KeysStore,
  ) {}

  onModuleInit() {
    this.events.subscribe(keyRevoked, ({ keyId }) => this.revoked(keyId));
    // Revocations while the connection was down were missed.
    this.events.onReconnect(() => void this.lookAgain().catch(() => this.endAll()));
  }

  /** Call this for every request that a key or one of its sessions admits. */
  watch(keyId: string, response: ServerResponse): void {
    if (this.justRevoked.has(keyId)) throw new ApiError('invalid_key', 'This key has been revoked.');
    const responses = this.responses.get(keyId) ?? new Set();
    this.responses.set(keyId, responses.add(response));
    response.once('close', () => {
      responses.delete(response);
      if (!responses.size && this.responses.get(keyId) === responses) this.responses.delete(keyId);
    });
  }

  private revoked(keyId: string): void {
    this.justRevoked.add(keyId);
    setTimeout(() => this.justRevoked.delete(keyId), LOOKUP_MS).unref();
    for (const response of this.responses.get(keyId) ?? []) endEventStream(response);
  }

  private async lookAgain(): Promise<void> {
    for (const keyId of await this.keys.revokedAmong([...this.responses.keys()])) this.revoked(keyId);
  }

  /** Clients whose keys are still valid reconnect. */
  private endAll(): void {
    for (const responses of this.responses.values()) for (const response of responses) endEventStream(response);
  }
}
