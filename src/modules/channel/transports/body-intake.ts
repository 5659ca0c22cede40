import type { Readable } from "node:stream";
import { Beginnings, UnderWay } from "./body-room.ts";
import { Body, type BodyLimits } from "./body.ts";

/** Opens the bodies of messages and bounds what they hold together. */
export class BodyIntake {
  readonly #limits: BodyLimits;
  readonly #beginnings: Beginnings;
  readonly #underWay: UnderWay;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
    this.#beginnings = new Beginnings(limits.beginnings);
    this.#underWay = new UnderWay(limits.underWay);
  }

  /** `announced`: how many bytes the request says it has; 0 if it doesn't. */
  open(stream: Readable, announced = 0): Body {
    return new Body(stream, { announced, limits: this.#limits, beginnings: this.#beginnings, underWay: this.#underWay });
  }
}
