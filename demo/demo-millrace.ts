import 'reflect-metadata';
import { runDemo } from './run-demo.js';

await runDemo();
