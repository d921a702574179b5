import { describe, expect, it } from 'vitest';
import {
  isReady,
  type Machine,
  ownWayToGet,
  wayToGet,
  whatToInstall,
  whyNoFaketime,
  whyNoNewsboat,
  whyNoPrometheus,
  whyNoPython,
  whyNoSfeed,
} from './server-choice.js';

const bare: Machine = {
  given: () => undefined,
  installed: () => undefined,
  debianAsRoot: false,
  dockerWorks: () => false,
};
const given = { given: () => 'redis://elsewhere' };
const installed = { installed: () => '/usr/bin/redis-server' };
const docker = { dockerWorks: () => true };

describe('the way to get a service', () => {
  it('is the address that somebody gave, whatever else there is', () => {
    expect(wayToGet('redis', { ...bare, ...given, ...installed, ...docker, debianAsRoot: true })).toBe('given');
  });

  it('is the installed program, then a package if root may install it, then Docker', () => {
    expect(wayToGet('redis', { ...bare, ...installed, ...docker, debianAsRoot: true })).toBe('installed');
    expect(wayToGet('redis', { ...bare, ...docker, debianAsRoot: true })).toBe('apt');
    expect(wayToGet('redis', { ...bare, ...docker })).toBe('docker');
    expect(wayToGet('redis', bare)).toBe('missing');
  });

  it('does not ask for Docker where there is no need', () => {
    const dockerWorks = () => expect.unreachable('asked for Docker');
    expect(wayToGet('redis', { ...bare, ...installed, dockerWorks })).toBe('installed');
  });

  it('is not the given server for a test that wants to kill it', () => {
    expect(ownWayToGet('redis', { ...bare, ...given, ...installed })).toBe('installed');
    expect(ownWayToGet('redis', { ...bare, ...given })).toBe('missing');
  });

  it('is never Docker for a browser, Python, Prometheus, sfeed or faketime', () => {
    expect(wayToGet('chromium', { ...bare, ...docker })).toBe('missing');
    expect(wayToGet('python', { ...bare, ...docker })).toBe('missing');
    expect(wayToGet('prometheus', { ...bare, ...docker })).toBe('missing');
    expect(wayToGet('sfeed', { ...bare, ...docker })).toBe('missing');
    expect(wayToGet('faketime', { ...bare, ...docker })).toBe('missing');
    expect(wayToGet('python', { ...bare, ...docker, debianAsRoot: true })).toBe('apt');
  });
});

describe('a service', () => {
  it('is ready when it can be used without installing anything', () => {
    const ways = ['given', 'installed', 'docker', 'apt', 'missing'] as const;
    expect(ways.filter(isReady)).toEqual(['given', 'installed', 'docker']);
  });

  it('that is missing is reported with what to install or set instead', () => {
    const message = whatToInstall('The tests need', ['redis', 'rabbitmq']);
    for (const word of ['redis-server', 'rabbitmq-server', 'Docker', 'TEST_REDIS_URL', 'TEST_RABBITMQ_URL']) {
      expect(message).toContain(word);
    }
  });

  it('that is Python is reported with its modules, on Debian and elsewhere', () => {
    for (const word of ['python3-pika', 'pip install pika', 'TEST_PYTHON']) expect(whyNoPython()).toContain(word);
  });

  it('that is Prometheus is reported with its package, and what to set elsewhere', () => {
    for (const word of ['apt-get install prometheus', 'TEST_PROMETHEUS']) expect(whyNoPrometheus()).toContain(word);
  });

  it('that is faketime is reported with its package, and what to set elsewhere', () => {
    for (const word of ['apt-get install libfaketime', 'TEST_FAKETIME']) expect(whyNoFaketime()).toContain(word);
  });

  it('that is newsboat is reported with its package, and what to set elsewhere', () => {
    for (const word of ['apt-get install newsboat', 'TEST_NEWSBOAT']) expect(whyNoNewsboat()).toContain(word);
  });

  it('that is sfeed is reported with its package, and what to set elsewhere', () => {
    for (const word of ['apt-get install sfeed', 'TEST_SFEED']) expect(whyNoSfeed()).toContain(word);
  });
});
