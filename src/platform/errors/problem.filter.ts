import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LOG, type Log } from '../log/log.js';
import { answerProblem } from './answer-problem.js';

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(LOG) private readonly log: Log) {}

  catch(thrown: unknown, host: ArgumentsHost) {
    answerProblem(thrown, host.switchToHttp().getResponse<FastifyReply>(), this.log);
  }
}
