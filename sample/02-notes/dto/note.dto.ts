import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { ReminderDto } from './create-note.dto.js';

export class NoteDto {
  @IsInt()
  id!: number;

  @IsString()
  title!: string;

  @IsString()
  text!: string;

  @IsString()
  author!: string;

  @IsArray()
  @IsString({ each: true })
  tags!: string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => ReminderDto)
  reminder?: ReminderDto;
}

export class FoundNotesDto {
  @IsInt()
  total!: number;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => NoteDto)
  notes!: NoteDto[];
}
