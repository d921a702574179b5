import 'reflect-metadata';
import { runMillrace } from './run-millrace.js';

await runMillrace();
