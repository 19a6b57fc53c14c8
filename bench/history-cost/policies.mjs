// How other loops would have sent the same conversation, written from descriptions of them and for this bench only.
// Each policy turns the full conversation of a turn into the messages of its request.

const PLACEHOLDER = "[Image Omitted]";
const EPHEMERAL = { type: "ephemeral" };

export function image(png) {
  return { type: "image", source: { type: "base64", media_type: "image/png", data: png.toString("base64") } };
}

/** Positions of the pictures of a conversation, oldest first: message, block, inner block. */
function pictures(messages) {
  return messages.flatMap(({ role, content }, message) =>
    role === "user"
      ? content.flatMap((block, at) =>
          (block.content ?? []).flatMap((inner, within) =>
            inner.type === "image" ? [[message, at, within]] : [],
          ),
        )
      : [],
  );
}

function without(messages, count, stand) {
  const gone = new Set(pictures(messages).slice(0, count).map(String));
  return messages.map((message, index) => {
    if (message.role !== "user") return message;
    const content = message.content.map((block, at) => {
      if (!block.content) return block;
      const inner = block.content.flatMap((one, within) => {
        if (!gone.has(String([index, at, within]))) return [one];
        return stand === undefined ? [] : [{ type: "text", text: stand }];
      });
      return { ...block, content: inner };
    });
    return { ...message, content };
  });
}

/** Marks on the last block of the newest user messages. */
function withMarks(messages, count) {
  const users = messages.flatMap(({ role }, index) => (role === "user" ? [index] : [])).slice(-count);
  return messages.map((message, index) =>
    users.includes(index)
      ? {
          ...message,
          content: message.content.map((block, at) =>
            at === message.content.length - 1 ? { ...block, cache_control: EPHEMERAL } : block,
          ),
        }
      : message,
  );
}

/** computer-use-demo with prompt caching: nothing is cut, marks on the last three user turns and the system text. */
export function demoCached() {
  return { cachesSystem: true, send: (messages) => withMarks(messages, 3) };
}

/** computer-use-demo without caching: the newest N pictures stay, removal rounded down to multiples of N. */
export function demoTruncating(keep = 3) {
  return {
    cachesSystem: false,
    send(messages) {
      const surplus = pictures(messages).length - keep;
      const count = surplus > 0 ? surplus - (surplus % keep) : 0;
      return without(messages, count, undefined);
    },
  };
}

/** computer-use-best-practices: pictures grow from 3 to 42 and drop to 3 again; marks as the published advice has them. */
export function bestPractices(least = 3, steps = 40) {
  return {
    cachesSystem: true,
    send(messages) {
      const surplus = pictures(messages).length - least;
      const count = surplus > 0 ? surplus - (surplus % steps) : 0;
      return withMarks(without(messages, count, PLACEHOLDER), 3);
    },
  };
}
