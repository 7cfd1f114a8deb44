import { Injectable } from '@nestjs/common';
import { McpCompletion } from 'nestjs-mcp';

function startingWith(value: string, words: readonly string[]): readonly string[] {
  return words.filter((word) => word.startsWith(value));
}

@Injectable()
export class Completions {
  @McpCompletion({ prompt: 'test_prompt_with_arguments', argument: 'arg1' })
  @McpCompletion({ prompt: 'test_prompt_with_arguments', argument: 'arg2' })
  argument(value: string): readonly string[] {
    return startingWith(value, ['testValue1', 'testValue2', 'other']);
  }

  @McpCompletion({ prompt: 'greet', argument: 'name' })
  name(value: string): readonly string[] {
    return startingWith(value, ['Ada', 'Alan', 'Grace']);
  }

  @McpCompletion({ uriTemplate: 'user://{id}', argument: 'id' })
  userId(value: string): readonly string[] {
    return startingWith(value, ['41', '42', '43']);
  }
}
