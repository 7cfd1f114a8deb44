import { describe, expect, it } from 'vitest';
import { formField } from '../../src/schema/form-fields.js';

describe('a choice in a form', () => {
  it('is listed as titled branches where richer forms exist, and with enumNames in 2025-06-18', () => {
    const branches = [
      { const: 'a', title: 'First' },
      { const: 'b', title: 'Second' },
    ];
    expect(formField({ type: 'string', oneOf: branches, default: 'b' }, true)).toEqual({
      rich: { type: 'string', oneOf: branches, default: 'b' },
      plain: { type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'] },
    });
  });

  it('keeps the enumNames that its author wrote, in every revision', () => {
    const written = { type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'] };
    expect(formField(written, true)).toEqual({ rich: written, plain: written });
  });

  it('is a bare enum when nothing has a title', () => {
    const written = { type: 'string', description: 'Which one', enum: ['a', 'b'] };
    expect(formField(written, true)).toEqual({ rich: written, plain: written });
  });
});
