import { afterEach, describe, expect, it, vi } from 'vitest';
import { installServices, TEST_SERVICES } from './install-services.js';
import type { Machine } from './server-choice.js';

const empty: Machine = {
  given: () => undefined,
  installed: () => undefined,
  debianAsRoot: false,
  dockerWorks: () => false,
};

describe('services that are requested', () => {
  afterEach(() => vi.restoreAllMocks());

  it('are reported in one sentence if they are required and missing', () => {
    const request = { who: 'These benchmarks need', required: ['redis', 'rabbitmq'] as const, optional: {} };
    const message = installServices(request, empty);
    expect(message).toMatch(/^These benchmarks need redis and rabbitmq: install them .*, or start Docker, .*\.$/);
  });

  it('are not to be started with Docker if they have no image', () => {
    expect(installServices({ ...TEST_SERVICES, required: ['chromium'] }, empty)).not.toContain('Docker');
  });

  it('are only mentioned if they are optional and missing', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const machine = {
      ...empty,
      installed: (service: string) => (service === 'redis' ? '/usr/bin/redis-server' : undefined),
    };
    const request = {
      who: 'This benchmark needs',
      required: ['redis'] as const,
      optional: { sfeed: 'Without sfeed.' },
    };
    expect(installServices(request, machine)).toBeUndefined();
    expect(write.mock.calls).toEqual([['Without sfeed.\n']]);
  });

  it('need nothing at all if nothing is requested', () => {
    expect(installServices({ who: 'This benchmark needs', required: [], optional: {} }, empty)).toBeUndefined();
  });
});
