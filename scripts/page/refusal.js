// A question that cannot be answered: `problem` are its problem details, as those of the HTTP API.

export class Refusal extends Error {
  /** @param {string} detail @param {object} [more] */
  constructor(detail, more = {}) {
    super(detail);
    this.problem = { detail, ...more };
  }
}
