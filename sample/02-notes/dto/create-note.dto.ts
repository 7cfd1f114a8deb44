import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsEnum,
  IsISO8601,
  IsOptional,
  IsString,
  Length,
  ValidateNested,
} from 'class-validator';

export enum Channel {
  Mail = 'mail',
  Push = 'push',
}

export class ReminderDto {
  @IsISO8601()
  at!: string;

  @IsEnum(Channel)
  by!: Channel;
}

/** Taken by the tool and by the HTTP route alike. */
export class CreateNoteDto {
  @IsString()
  @Length(1, 80)
  title!: string;

  @IsString()
  text!: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @IsString({ each: true })
  tags?: string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => ReminderDto)
  reminder?: ReminderDto;
}
