import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import { FeedsModule } from './feeds/feeds.module.js';
import { FetchingModule } from './fetching/fetching.module.js';
import { FollowingModule } from './following/following.module.js';
import { ImportsModule } from './imports/imports.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { ApiModule } from './platform/api/api.module.js';
import { type Foundations, PlatformModule } from './platform/platform.module.js';
import { PostsModule } from './posts/posts.module.js';
import { PublishingModule } from './publishing/publishing.module.js';
import { ScrapingModule } from './scraping/scraping.module.js';
import { SourcesModule } from './sources/sources.module.js';
import { WebPageModule } from './web/web-page.module.js';

@Module({})
export class AppModule {
  static on(foundations: Foundations, more: Type[] = []): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.on(foundations),
        ApiModule,
        AuthModule,
        SourcesModule,
        PostsModule,
        FetchingModule,
        FollowingModule,
        FeedsModule,
        ImportsModule,
        ScrapingModule,
        PublishingModule,
        OperationsModule,
        WebPageModule,
        ...more,
      ],
    };
  }
}
