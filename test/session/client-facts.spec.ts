import { describe, expect, it } from 'vitest';
import { ClientFacts } from '../../src/session/client-facts.js';

describe('ClientFacts', () => {
  it('shares one frozen object among clients that say the same', () => {
    const facts = new ClientFacts();
    const one = facts.capabilities({ elicitation: { form: {} } });
    const two = facts.capabilities({ elicitation: { form: {} } });
    expect(two).toBe(one);
    expect(Object.isFrozen(one) && Object.isFrozen(one['elicitation'])).toBe(true);
  });

  it('does not keep the object it was given', () => {
    const facts = new ClientFacts();
    const given = { name: 'c', version: '1' };
    const kept = facts.info(given);
    given.name = 'changed';
    expect(kept).toEqual({ name: 'c', version: '1' });
  });

  it('cuts an identity that is too long to what names the client', () => {
    const facts = new ClientFacts();
    const noise = '\u0001'.repeat(100_000);
    const kept = facts.info({ name: noise, version: '1', title: 'Title', icons: [{ src: noise }], other: noise });
    expect(kept.name).toHaveLength(1_024);
    expect(kept).toMatchObject({ version: '1', title: 'Title' });
    expect(Object.keys(kept).sort()).toEqual(['name', 'title', 'version']);
  });

  it('cuts capabilities that are too long to those the protocol knows', () => {
    const facts = new ClientFacts();
    const kept = facts.capabilities({
      elicitation: { form: {}, url: {} },
      sampling: { noise: 'x'.repeat(10_000) },
      experimental: { noise: 'x'.repeat(10_000) },
    });
    expect(kept).toEqual({ elicitation: { form: {}, url: {} }, sampling: {} });
  });

  it('remembers a bounded number of texts', () => {
    const facts = new ClientFacts(2);
    const first = facts.info({ name: 'a', version: '1' });
    facts.info({ name: 'b', version: '1' });
    facts.info({ name: 'c', version: '1' });
    expect(facts.info({ name: 'a', version: '1' })).not.toBe(first);
  });
});
