import type { HotelRequest, Message } from "../../src/modules/channel/message.ts";
import type { Pieces } from "../../src/pieces.ts";

/** The message with its requests about a hotel changed. */
export function withRequests(message: Message, change: (request: HotelRequest) => HotelRequest): Message {
  return {
    ...message,
    read(context) {
      const reader = message.read(context);
      return {
        open: (...args) => reader.open(...args),
        close: (...args) => reader.close(...args),
        text: (text) => reader.text(text),
        *finish() {
          const request = yield* reader.finish();
          return request.kind === "plain" ? request : change(request);
        },
      };
    },
  };
}

/** The message, telling of each piece in which it is checked once it is read. */
export function tellingEnds(message: Message, tell: () => void): Message {
  return {
    ...message,
    read(context) {
      const reader = message.read(context);
      return {
        open: (...args) => reader.open(...args),
        close: (...args) => reader.close(...args),
        text: (text) => reader.text(text),
        finish: () => eachTold(reader.finish(), tell),
      };
    },
  };
}

/** The message, telling of each piece in which it is decided. */
export function tellingPieces(message: Message, tell: () => void): Message {
  return withRequests(message, (request) => tellingRequest(request, tell));
}

function tellingRequest(request: HotelRequest, tell: () => void): HotelRequest {
  const { load, decide } = request;
  const telling = { ...request, decide: tellingDecision(decide, tell) };
  if (!load) return telling;
  return {
    ...telling,
    async load(...args) {
      const loaded = await load(...args);
      return { ...loaded, decide: tellingDecision(loaded.decide, tell) };
    },
  };
}

function tellingDecision(decide: HotelRequest["decide"], tell: () => void): HotelRequest["decide"] {
  return (context) => eachTold(decide(context), tell);
}

function* eachTold<T>(pieces: Pieces<T>, tell: () => void): Pieces<T> {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
    yield tell();
  }
}
