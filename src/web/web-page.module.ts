import { Module } from '@nestjs/common';
import { WebPageController } from './web-page.controller.js';

@Module({ controllers: [WebPageController] })
export class WebPageModule {}
