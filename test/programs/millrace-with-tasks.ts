import 'reflect-metadata';
import { runMillrace } from '../../src/run-millrace.js';
import { TaskRequestsModule } from '../fleet/tasks.controller.js';
import { TasksModule } from '../queue/tasks.js';

// The whole of Millrace, as src/main.ts runs it, with one feature more: work for tests to interrupt.
await runMillrace([TasksModule, TaskRequestsModule]);
