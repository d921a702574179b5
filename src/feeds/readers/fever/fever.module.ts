import { Module } from '@nestjs/common';
import { ReaderCoreModule } from '../core/reader-core.module.js';
import { FeverController } from './fever.controller.js';
import { FeverAnswers } from './fever-answers.js';
import { FeverMarks } from './fever-marks.js';

@Module({
  imports: [ReaderCoreModule],
  controllers: [FeverController],
  providers: [FeverAnswers, FeverMarks],
})
export class FeverModule {}
