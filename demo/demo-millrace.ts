import 'reflect-metadata';
import { nameSourcesInStackTraces } from '../src/platform/errors/stack-traces.js';
import { runDemo } from './run-demo.js';

nameSourcesInStackTraces();
await runDemo();
