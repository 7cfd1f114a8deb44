import { Injectable, Module } from '@nestjs/common';

/** Stands for whatever the application reads its configuration with. */
@Injectable()
export class Settings {
  readonly staffKey = process.env['STAFF_KEY'] ?? 'staff-key';
  readonly origins = ['https://intranet.example.com'];
}

@Module({ providers: [Settings], exports: [Settings] })
export class SettingsModule {}
