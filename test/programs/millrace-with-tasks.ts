import 'reflect-metadata';
import { runMillrace } from '../../src/run-millrace.js';
import { TaskRequestsModule } from '../fleet/tasks.controller.js';
import { TasksModule } from '../queue/tasks.js';

// Runs the program as src/main.ts does, with one more feature: work for tests to interrupt.
await runMillrace([TasksModule, TaskRequestsModule]);
