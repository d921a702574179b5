import { describe, expect, it } from 'vitest';
import { carried, keptHeaders } from './message-properties.js';

describe('what a message takes along', () => {
  it('is what can be sent again', () => {
    const headers = { a: 'text', b: -1.5, c: false, d: null, e: [], f: {}, g: Number.NaN, h: 1n, i: Buffer.from('j') };
    expect(keptHeaders(headers)).toEqual({ a: 'text', b: -1.5, c: false });
    expect(keptHeaders(undefined)).toEqual({});
  });

  it('is nothing that was about its last journey, or sends copies elsewhere', () => {
    const headers = { 'x-death': 'a', 'x-first-death-queue': 'b', 'x-delivery-count': 3, 'x-millrace-reason': 'c' };
    expect(keptHeaders({ ...headers, CC: 'd', BCC: 'e', 'x-deadline': 'f' })).toEqual({ 'x-deadline': 'f' });
  });

  it('fits into a frame', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`header-${at}`, '語'.repeat(900)]));
    expect(Buffer.byteLength(JSON.stringify(keptHeaders(many)))).toBeLessThan(50_000);
    expect(Object.keys(keptHeaders(many)).length).toBeGreaterThan(5);
  });

  it('leaves out expiration, sender and the way back', () => {
    const message = { messageId: 'm', contentType: 'a/b', expiration: '1', userId: 'guest', replyTo: 'amq.rabbitmq.x' };
    expect(carried(message)).toEqual({ messageId: 'm', contentType: 'a/b' });
  });
});
