import { describe, expect, it } from 'vitest';
import { acceptedTypes } from '../../../src/transport/http/media-range.js';

const both = { json: true, events: true };
const json = { json: true, events: false };
const events = { json: false, events: true };
const neither = { json: false, events: false };

describe('Accept', () => {
  it.each([
    [undefined, both],
    ['', both],
    ['  ', both],
    ['*/*', both],
    ['application/json, text/event-stream', both],
    ['text/event-stream,application/json', both],
    ['Application/JSON , TEXT/event-stream', both],
    ['application/json', json],
    ['application/*', json],
    ['text/event-stream', events],
    ['text/*;q=0.1', events],
    ['text/html', neither],
    ['application/json;q=0', neither],
    ['application/json; q=0.000', neither],
    ['application/json; Q = 0.5', json],
    // The most specific range decides, wherever it stands.
    ['*/*, application/json;q=0', events],
    ['application/json;q=0, */*', events],
    ['text/*;q=0, */*;q=0.2', json],
    ['application/*;q=0, application/json', json],
    ['text/html, */*;q=0.1', both],
    ['application/json;profile="x";q=0', neither],
    ['application/jsonx, text/event-streams', neither],
    ['applicationjson', neither],
    ['*', neither],
    [',,;', neither],
  ])('%j', (header, expected) => {
    expect(acceptedTypes(header)).toEqual(expected);
  });

  it('is read in linear time', () => {
    const start = performance.now();
    acceptedTypes(`${'text/html;q=0.1,'.repeat(20_000)}application/json`);
    acceptedTypes(';'.repeat(100_000));
    acceptedTypes(`text/html;q=${' '.repeat(100_000)}`);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
