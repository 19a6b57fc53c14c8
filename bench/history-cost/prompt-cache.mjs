// What the API's prompt cache would do with a row of requests: what stands before a cache point is stored, and found
// again at a later point or up to twenty blocks before one. Nothing expires; nothing is too short.

const LOOKBACK = 20;
const PRICES = { read: 0.1, write: 1.25, uncached: 1 };

/** The blocks of a body in the order in which the API lays them out: tools, system text, messages. */
function blocksOf(body) {
  const inMessages = body.messages.flatMap(({ role, content }) => content.map((block) => [role, block]));
  return [
    ...body.tools.map((tool) => ["tools", tool]),
    ...body.system.map((text) => ["system", text]),
    ...inMessages,
  ];
}

export class PromptCache {
  #stored = new Set();
  #tokensOf;
  #digest;

  constructor(tokensOf, digest) {
    this.#tokensOf = tokensOf;
    this.#digest = digest;
  }

  /** Input tokens of a request by what they cost. */
  take(body) {
    let hash = "";
    let tokens = 0;
    const boundaries = blocksOf(body).map(([place, { cache_control: point, ...block }]) => {
      hash = this.#digest(`${hash} ${place} ${JSON.stringify(block)}`);
      tokens += this.#tokensOf(place, block);
      return { hash, tokens, isPoint: point !== undefined };
    });
    const points = boundaries.flatMap(({ isPoint }, index) => (isPoint ? [index] : []));
    let read = 0;
    for (const point of points)
      for (let at = point; at >= Math.max(0, point - LOOKBACK); at--)
        if (this.#stored.has(boundaries[at].hash)) read = Math.max(read, boundaries[at].tokens);
    for (const point of points) this.#stored.add(boundaries[point].hash);
    const upTo = points.length === 0 ? 0 : boundaries[points.at(-1)].tokens;
    return { read, write: Math.max(0, upTo - read), uncached: tokens - Math.max(upTo, read), total: tokens };
  }
}

export function price({ read, write, uncached }) {
  return PRICES.read * read + PRICES.write * write + PRICES.uncached * uncached;
}
