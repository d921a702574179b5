import { expect, it } from 'vitest';
import { stopSignals } from './first-signal.js';

it('stops on Ctrl+C and on what the system has for a request to end', () => {
  expect(stopSignals('linux')).toEqual(['SIGINT', 'SIGTERM']);
  expect(stopSignals('darwin')).toEqual(['SIGINT', 'SIGTERM']);
  expect(stopSignals('win32')).toEqual(['SIGINT', 'SIGBREAK', 'SIGHUP']);
});
